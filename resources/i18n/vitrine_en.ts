<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>ExperimentView</name>
    <message numerus="yes">
        <source>%n guess(es) to go</source>
        <translation>
            <numerusform>%n guess to go</numerusform>
            <numerusform>%n guesses to go</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelListModel</name>
    <message numerus="yes">
        <source>%1  ·  %n model(s), used in place</source>
        <translation>
            <numerusform>%1  ·  %n model, used in place</numerusform>
            <numerusform>%1  ·  %n models, used in place</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunningWork</name>
    <message numerus="yes">
        <source>%n answer(s) would end here; the text so far is kept.</source>
        <translation>
            <numerusform>%n answer would end here; its text so far is kept.</numerusform>
            <numerusform>%n answers would end here; their text so far is kept.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) not sent yet would be lost.</source>
        <translation>
            <numerusform>%n message that was not sent yet would be lost.</numerusform>
            <numerusform>%n messages that were not sent yet would be lost.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n download(s) would stop at %1 of %2; Get models goes on from there.</source>
        <translation>
            <numerusform>%n download would stop at %1 of %2; Get models goes on from there.</numerusform>
            <numerusform>%n downloads would stop at %1 of %2; Get models goes on from there.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) of other programs would break off.</source>
        <translation>
            <numerusform>%n request of another program would break off.</numerusform>
            <numerusform>%n requests of other programs would break off.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ServerDialog</name>
    <message numerus="yes">
        <source>It is %1 and offers %n model(s).</source>
        <translation>
            <numerusform>It is %1 and offers %n model.</numerusform>
            <numerusform>It is %1 and offers %n models.</numerusform>
        </translation>
    </message>
</context>
</TS>
