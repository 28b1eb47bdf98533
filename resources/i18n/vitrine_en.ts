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
