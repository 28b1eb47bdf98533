<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Application</name>
    <message>
        <source>Quit now?</source>
        <translation>Jetzt beenden?</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Everything has ended meanwhile.</source>
        <translation>Inzwischen ist alles zu Ende.</translation>
    </message>
</context>
<context>
    <name>Attaching</name>
    <message>
        <source>It is a folder; attach the files in it.</source>
        <translation>Das ist ein Ordner; die Dateien darin lassen sich anhängen.</translation>
    </message>
    <message>
        <source>It cannot be read: %1.</source>
        <translation>Sie lässt sich nicht lesen: %1.</translation>
    </message>
    <message>
        <source>It has %1; a text file of at most %2 fits.</source>
        <translation>Sie hat %1; eine Textdatei darf höchstens %2 haben.</translation>
    </message>
    <message>
        <source>It is empty.</source>
        <translation>Sie ist leer.</translation>
    </message>
    <message>
        <source>It is no text in UTF-8 or UTF-16, so the model could not read it.</source>
        <translation>Sie ist kein Text in UTF-8 oder UTF-16, das Modell könnte sie nicht lesen.</translation>
    </message>
</context>
<context>
    <name>BenchText</name>
    <message>
        <source>The load was cancelled.</source>
        <translation>Das Laden wurde abgebrochen.</translation>
    </message>
    <message>
        <source>No model is loaded.</source>
        <translation>Es ist kein Modell geladen.</translation>
    </message>
    <message>
        <source>Load a model, then run the experiment.</source>
        <translation>Laden Sie ein Modell, und starten Sie dann das Experiment.</translation>
    </message>
    <message>
        <source>The experiment was stopped.</source>
        <translation>Das Experiment wurde angehalten.</translation>
    </message>
</context>
<context>
    <name>BlockMap</name>
    <message>
        <source>KV block map</source>
        <translation>Karte der KV-Blöcke</translation>
    </message>
    <message>
        <source>Shared</source>
        <translation>Geteilt</translation>
    </message>
    <message>
        <source>Sequence %1</source>
        <translation>Sequenz %1</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>Cached</source>
        <translation>Zwischengespeichert</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Frei</translation>
    </message>
    <message>
        <source>%1 tokens each</source>
        <translation>je %1 Token</translation>
    </message>
    <message>
        <source>Block %1</source>
        <translation>Block %1</translation>
    </message>
    <message>
        <source>Blocks %1–%2</source>
        <translation>Blöcke %1–%2</translation>
    </message>
    <message>
        <source>free: holds nothing</source>
        <translation>frei: enthält nichts</translation>
    </message>
    <message>
        <source>last used %1 ago</source>
        <translation>zuletzt vor %1 benutzt</translation>
    </message>
    <message>
        <source>cached and reusable: no sequence refers to it</source>
        <translation>zwischengespeichert und wiederverwendbar: keine Sequenz verweist darauf</translation>
    </message>
    <message>
        <source>sequence %1</source>
        <translation>Sequenz %1</translation>
    </message>
    <message>
        <source>owner %1</source>
        <translation>Eigentümer %1</translation>
    </message>
    <message>
        <source>oldest owner %1</source>
        <translation>ältester Eigentümer %1</translation>
    </message>
    <message>
        <source>1 reference</source>
        <translation>1 Verweis</translation>
    </message>
    <message>
        <source>%1 references</source>
        <translation>%1 Verweise</translation>
    </message>
    <message>
        <source>Window-freed</source>
        <translation>Vom Fenster frei</translation>
    </message>
    <message>
        <source>of %1 layers that see %2 tokens back</source>
        <translation>von %1 Schichten, die %2 Tokens zurück sehen</translation>
    </message>
    <message>
        <source>of %1 layers that see everything</source>
        <translation>von %1 Schichten, die alles sehen</translation>
    </message>
    <message>
        <source>its sequence lives on; the sliding window has passed it</source>
        <translation>seine Sequenz läuft weiter; das gleitende Fenster ist vorüber</translation>
    </message>
    <message>
        <source>%1 tok each</source>
        <translation>je %1 Tok.</translation>
    </message>
</context>
<context>
    <name>ChatHeader</name>
    <message>
        <source>More actions for this chat</source>
        <translation>Weitere Aktionen für diesen Chat</translation>
    </message>
    <message>
        <source>Inspector (Ctrl+I)</source>
        <translation>Inspektor (Strg+I)</translation>
    </message>
    <message>
        <source>List of chats (Ctrl+B)</source>
        <translation>Liste der Chats (Strg+B)</translation>
    </message>
</context>
<context>
    <name>ChatList</name>
    <message>
        <source>Search chats</source>
        <translation>Chats durchsuchen</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>Papierkorb</translation>
    </message>
    <message>
        <source>Empty</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Empty the Trash?</source>
        <translation>Papierkorb leeren?</translation>
    </message>
    <message>
        <source>Chats that go for good: %1.</source>
        <translation>Chats, die endgültig verschwinden: %1.</translation>
    </message>
    <message>
        <source>Empty Trash</source>
        <translation>Papierkorb leeren</translation>
    </message>
    <message>
        <source>The Trash is empty.</source>
        <translation>Der Papierkorb ist leer.</translation>
    </message>
    <message>
        <source>No chat contains “%1”.</source>
        <translation>Kein Chat enthält „%1“.</translation>
    </message>
    <message>
        <source>No chats yet. The first one starts when you send a message.</source>
        <translation>Noch keine Chats. Der erste beginnt mit Ihrer ersten Nachricht.</translation>
    </message>
    <message>
        <source>Rename chat</source>
        <translation>Chat umbenennen</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen …</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Move to Trash</source>
        <translation>In den Papierkorb</translation>
    </message>
    <message>
        <source>Move to folder</source>
        <translation>In Ordner verschieben</translation>
    </message>
    <message>
        <source>New folder…</source>
        <translation>Neuer Ordner …</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>Neuer Ordner</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Out of %1</source>
        <translation>Aus „%1“ herausnehmen</translation>
    </message>
    <message>
        <source>Open beside</source>
        <translation>Daneben öffnen</translation>
    </message>
</context>
<context>
    <name>ChatListModel</name>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>temporary</source>
        <translation>temporär</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>Papierkorb</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>This week</source>
        <translation>Diese Woche</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>Früher</translation>
    </message>
    <message>
        <source>%1, answering</source>
        <translation>%1, antwortet gerade</translation>
    </message>
    <message>
        <source>%1, unread</source>
        <translation>%1, ungelesen</translation>
    </message>
</context>
<context>
    <name>ChatPage::Private</name>
    <message>
        <source>Messages of this chat that could not be read: %1.</source>
        <translation>Nachrichten dieses Chats, die nicht gelesen werden konnten: %1.</translation>
    </message>
    <message>
        <source>They are hidden; the rest is complete.</source>
        <translation>Sie sind ausgeblendet; alles andere ist vollständig.</translation>
    </message>
    <message>
        <source>Chat moved to the Trash</source>
        <translation>Chat in den Papierkorb verschoben</translation>
    </message>
    <message>
        <source>chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Export chat</source>
        <translation>Chat exportieren</translation>
    </message>
    <message>
        <source>The chat was not exported.</source>
        <translation>Der Chat wurde nicht exportiert.</translation>
    </message>
    <message>
        <source>Import chats of Vitrine or ChatGPT</source>
        <translation>Chats von Vitrine oder ChatGPT importieren</translation>
    </message>
    <message>
        <source>JSON files</source>
        <translation>JSON-Dateien</translation>
    </message>
    <message>
        <source>the file is larger than 1 GiB</source>
        <translation>die Datei ist größer als 1 GiB</translation>
    </message>
    <message>
        <source>%1 was not imported.</source>
        <translation>%1 wurde nicht importiert.</translation>
    </message>
    <message>
        <source>Chats imported: %1.</source>
        <translation>Importierte Chats: %1.</translation>
    </message>
    <message>
        <source>%1 was not attached.</source>
        <translation>%1 wurde nicht angehängt.</translation>
    </message>
    <message>
        <source>New temporary chat</source>
        <translation>Neuer temporärer Chat</translation>
    </message>
    <message>
        <source>Find in chat…</source>
        <translation>Im Chat suchen …</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Import chats…</source>
        <translation>Chats importieren …</translation>
    </message>
    <message>
        <source>Move to Trash</source>
        <translation>In den Papierkorb</translation>
    </message>
    <message>
        <source>Chat moved</source>
        <translation>Chat verschoben</translation>
    </message>
    <message>
        <source>Chat renamed</source>
        <translation>Chat umbenannt</translation>
    </message>
    <message>
        <source>Attach text files</source>
        <translation>Textdateien anhängen</translation>
    </message>
    <message>
        <source>Text files</source>
        <translation>Textdateien</translation>
    </message>
    <message>
        <source>Answers recovered: %1.</source>
        <translation>Gerettete Antworten: %1.</translation>
    </message>
    <message>
        <source>Vitrine was interrupted while they were written.</source>
        <translation>Vitrine wurde beendet, während sie geschrieben wurden.</translation>
    </message>
    <message>
        <source>Chats could not be opened.</source>
        <translation>Die Chats konnten nicht geöffnet werden.</translation>
    </message>
    <message>
        <source>Not saved yet.</source>
        <translation>Noch nicht gespeichert.</translation>
    </message>
    <message>
        <source>%1. The chat stays in memory and is saved when the disk takes it.</source>
        <translation>%1. Der Chat bleibt im Speicher und wird gesichert, sobald die Platte ihn annimmt.</translation>
    </message>
    <message>
        <source>Saved.</source>
        <translation>Gespeichert.</translation>
    </message>
    <message>
        <source>Everything is on disk again.</source>
        <translation>Alles ist wieder auf der Platte.</translation>
    </message>
    <message>
        <source>%1 was not loaded.</source>
        <translation>%1 wurde nicht geladen.</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>loading %1</source>
        <translation>%1 geladen</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>lädt</translation>
    </message>
    <message>
        <source>Temporary chat</source>
        <translation>Temporärer Chat</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Second chat beside this one</source>
        <translation>Zweiter Chat neben diesem</translation>
    </message>
    <message>
        <source>The chat database was damaged. Chats saved from it: %1.</source>
        <translation>Die Chat-Datenbank war beschädigt. Daraus gerettete Chats: %1.</translation>
    </message>
    <message>
        <source>The damaged file is kept as %1; a backup can replace it.</source>
        <translation>Die beschädigte Datei liegt als %1 bereit; eine Sicherung kann sie ersetzen.</translation>
    </message>
    <message>
        <source>An answer is still being written.</source>
        <translation>Eine Antwort wird noch geschrieben.</translation>
    </message>
    <message>
        <source>Stop it with Esc, then edit, regenerate or delete.</source>
        <translation>Mit Esc anhalten, dann bearbeiten, neu erzeugen oder löschen.</translation>
    </message>
    <message>
        <source>Messages deleted: %1</source>
        <translation>Nachrichten gelöscht: %1</translation>
    </message>
    <message>
        <source>Markdown, what is on screen</source>
        <translation>Markdown, was zu sehen ist</translation>
    </message>
    <message>
        <source>JSON, with every branch</source>
        <translation>JSON, mit allen Zweigen</translation>
    </message>
    <message>
        <source>Chat exported.</source>
        <translation>Chat exportiert.</translation>
    </message>
    <message>
        <source>Parts of %1 could not be read and were left out: chats %2, messages %3. Export them again.</source>
        <translation>Teile von %1 waren nicht lesbar und fehlen: Chats %2, Nachrichten %3. Exportieren Sie sie noch einmal.</translation>
    </message>
</context>
<context>
    <name>ChatPane</name>
    <message>
        <source>Close the second chat</source>
        <translation>Zweiten Chat schließen</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
</context>
<context>
    <name>ChatSession</name>
    <message>
        <source>No model is loaded, so this turn has no answer yet.</source>
        <translation>Es ist kein Modell geladen, deshalb hat diese Nachricht noch keine Antwort.</translation>
    </message>
    <message>
        <source>Load a model, then try again.</source>
        <translation>Laden Sie ein Modell und versuchen Sie es erneut.</translation>
    </message>
</context>
<context>
    <name>Closing</name>
    <message>
        <source>The server is still running.</source>
        <translation>Der Server läuft noch.</translation>
    </message>
    <message>
        <source>%1 can go on with the window closed; an icon in the tray then opens the window again or quits. Settings, General, changes this later.</source>
        <translation>%1 kann bei geschlossenem Fenster weiterlaufen; ein Symbol in der Kontrollleiste öffnet das Fenster dann wieder oder beendet Vitrine. Später zu ändern unter Einstellungen, Allgemein.</translation>
    </message>
    <message>
        <source>Keep serving</source>
        <translation>Weiter bereitstellen</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Closing Vitrine stops %1. This desktop shows no tray icon that could bring a hidden window back; a minimized one goes on serving.</source>
        <translation>Wird Vitrine geschlossen, endet %1. Diese Oberfläche zeigt kein Symbol, das ein verborgenes Fenster zurückholen könnte; ein minimiertes stellt weiter bereit.</translation>
    </message>
    <message>
        <source>Minimize</source>
        <translation>Minimieren</translation>
    </message>
    <message>
        <source>Vitrine is still serving</source>
        <translation>Vitrine stellt weiter bereit</translation>
    </message>
    <message>
        <source>%1 goes on. The icon in the tray opens the window or quits.</source>
        <translation>%1 läuft weiter. Das Symbol in der Kontrollleiste öffnet das Fenster oder beendet Vitrine.</translation>
    </message>
    <message>
        <source>Open Vitrine</source>
        <translation>Vitrine öffnen</translation>
    </message>
    <message>
        <source>Vitrine, serving at %1</source>
        <translation>Vitrine, erreichbar unter %1</translation>
    </message>
</context>
<context>
    <name>CodeTools</name>
    <message>
        <source>Wrap lines</source>
        <translation>Zeilen umbrechen</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Code kopieren</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Type an action, a model or a page</source>
        <translation>Aktion, Modell oder Seite eingeben</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>↑ ↓ choose   ·   Enter run   ·   Esc close</source>
        <translation>↑ ↓ wählen   ·   Eingabe ausführen   ·   Esc schließen</translation>
    </message>
    <message>
        <source>1 result</source>
        <translation>1 Treffer</translation>
    </message>
    <message>
        <source>%1 results</source>
        <translation>%1 Treffer</translation>
    </message>
    <message>
        <source>Nothing is called “%1”. Chats are searched with %2.</source>
        <translation>Nichts heißt „%1“. Chats durchsucht man mit %2.</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Attach a text file</source>
        <translation>Textdatei anhängen</translation>
    </message>
    <message>
        <source>Tokens of the draft</source>
        <translation>Token des Entwurfs</translation>
    </message>
    <message>
        <source>Message %1</source>
        <translation>Nachricht an %1</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>%1 tok</source>
        <translation>%1 Tok</translation>
    </message>
    <message>
        <source>Pasted text</source>
        <translation>Eingefügter Text</translation>
    </message>
    <message>
        <source>Editing an earlier turn: makes a branch</source>
        <translation>Eine frühere Nachricht wird bearbeitet: ergibt einen Zweig</translation>
    </message>
    <message>
        <source>Queued: %1</source>
        <translation>Wartet: %1</translation>
    </message>
    <message>
        <source>Sent when the answer has ended. Click to edit.</source>
        <translation>Wird gesendet, wenn die Antwort fertig ist. Klicken zum Bearbeiten.</translation>
    </message>
    <message>
        <source>%1, %2 characters</source>
        <translation>%1, %2 Zeichen</translation>
    </message>
    <message>
        <source>The answer was stopped: Enter sends this. Click to edit.</source>
        <translation>Die Antwort wurde angehalten: Enter sendet dies. Klicken zum Bearbeiten.</translation>
    </message>
    <message>
        <source>Text that %1 goes on with: it has no chat template</source>
        <translation>Text, den %1 fortsetzt: es hat keine Chatvorlage</translation>
    </message>
</context>
<context>
    <name>ComposerEdit</name>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
</context>
<context>
    <name>ContextRing</name>
    <message>
        <source>Context: %1</source>
        <translation>Kontext: %1</translation>
    </message>
    <message>
        <source>Tokens in the context: system %1, history %2, draft %3, kept for the reply %4</source>
        <translation>Token im Kontext: System %1, Verlauf %2, Entwurf %3, für die Antwort frei gehalten %4</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1, nearly full</source>
        <translation>%1, fast voll</translation>
    </message>
</context>
<context>
    <name>Days</name>
    <message>
        <source>d MMM yyyy</source>
        <extracomment>Format of a date as QLocale::toString() takes it: day, short month, year</extracomment>
        <translation>d. MMM yyyy</translation>
    </message>
    <message>
        <source>d MMM</source>
        <extracomment>Format of a date of this year as QLocale::toString() takes it: day and short month</extracomment>
        <translation>d. MMM</translation>
    </message>
</context>
<context>
    <name>DemoLoad</name>
    <message>
        <source>Demo: %1</source>
        <translation>Demo: %1</translation>
    </message>
</context>
<context>
    <name>Dialogs</name>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
</context>
<context>
    <name>DownloadJob</name>
    <message>
        <source>no byte came for %1 s</source>
        <translation>%1 s lang kam kein Byte</translation>
    </message>
    <message>
        <source>The disk is too full: %1 are needed, %2 are free.</source>
        <translation>Die Platte ist zu voll: %1 werden gebraucht, %2 sind frei.</translation>
    </message>
    <message>
        <source>Free some space in %1, then go on.</source>
        <translation>Schaffen Sie Platz in %1 und machen Sie dann weiter.</translation>
    </message>
    <message>
        <source>%1 is there already.</source>
        <translation>%1 ist schon da.</translation>
    </message>
    <message>
        <source>Remove or rename it to download it again.</source>
        <translation>Entfernen Sie die Datei oder benennen Sie sie um, um sie erneut zu laden.</translation>
    </message>
    <message>
        <source>the server cannot go on from here</source>
        <translation>der Server kann hier nicht fortsetzen</translation>
    </message>
    <message>
        <source>%1 refused the file with HTTP %2.</source>
        <translation>%1 hat die Datei mit HTTP %2 verweigert.</translation>
    </message>
    <message>
        <source>Search for the model again; it may have moved or ask for a login.</source>
        <translation>Suchen Sie das Modell noch einmal; es ist vielleicht umgezogen oder verlangt eine Anmeldung.</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>%1 kann nicht geschrieben werden: %2.</translation>
    </message>
    <message>
        <source>Free some space, then go on.</source>
        <translation>Schaffen Sie Platz und machen Sie dann weiter.</translation>
    </message>
    <message>
        <source>the connection ended at %1 of %2</source>
        <translation>die Verbindung endete bei %1 von %2</translation>
    </message>
    <message>
        <source>The server sent more than the %1 it announced.</source>
        <translation>Der Server hat mehr als die angekündigten %1 geschickt.</translation>
    </message>
    <message>
        <source>Search for the model again; it may have changed.</source>
        <translation>Suchen Sie das Modell noch einmal; es hat sich vielleicht geändert.</translation>
    </message>
    <message>
        <source>The download stopped at %1 of %2: %3.</source>
        <translation>Der Download blieb bei %1 von %2 stehen: %3.</translation>
    </message>
    <message>
        <source>What came so far is kept; go on when the connection is back.</source>
        <translation>Was schon da ist, bleibt erhalten; machen Sie weiter, wenn die Verbindung wieder steht.</translation>
    </message>
    <message>
        <source>The file has SHA-256 %1…, the repository says %2….</source>
        <translation>Die Datei hat SHA-256 %1…, das Verzeichnis nennt %2….</translation>
    </message>
    <message>
        <source>It is kept aside as %1 and not offered. Download it again.</source>
        <translation>Sie liegt als %1 beiseite und wird nicht angeboten. Laden Sie sie erneut.</translation>
    </message>
    <message>
        <source>%1 cannot be renamed.</source>
        <translation>%1 kann nicht umbenannt werden.</translation>
    </message>
    <message>
        <source>Check the rights of the folder, then go on.</source>
        <translation>Prüfen Sie die Rechte des Ordners und machen Sie dann weiter.</translation>
    </message>
</context>
<context>
    <name>DownloadRow</name>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Download of %1</source>
        <translation>Download von %1</translation>
    </message>
    <message>
        <source>Remove the download of %1</source>
        <translation>Download von %1 entfernen</translation>
    </message>
    <message>
        <source>Paused at %1 of %2</source>
        <translation>Angehalten bei %1 von %2</translation>
    </message>
    <message>
        <source>%1 of %2, tried again soon: %3</source>
        <translation>%1 von %2, neuer Versuch folgt: %3</translation>
    </message>
    <message>
        <source>Checking the SHA-256: %1 of %2</source>
        <translation>SHA-256 wird geprüft: %1 von %2</translation>
    </message>
    <message>
        <source>Ready, %1</source>
        <translation>Fertig, %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 of %2 · %3/s · %4 left</source>
        <translation>%1 von %2 · %3/s · noch %4</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>Ausblenden</translation>
    </message>
</context>
<context>
    <name>DraftPicker</name>
    <message>
        <source>Draft model</source>
        <translation>Entwurfsmodell</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>n-gram, no model</source>
        <translation>N-Gramm, kein Modell</translation>
    </message>
</context>
<context>
    <name>EnginePage</name>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>10 s</source>
        <translation>10 s</translation>
    </message>
    <message>
        <source>1 min</source>
        <translation>1 min</translation>
    </message>
    <message>
        <source>10 min</source>
        <translation>10 min</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Time shown</source>
        <translation>Gezeigter Zeitraum</translation>
    </message>
    <message>
        <source>Hold the plots still (Space)</source>
        <translation>Diagramme anhalten (Leertaste)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Steps as CSV…</source>
        <translation>Schritte als CSV …</translation>
    </message>
    <message>
        <source>Steps as JSON…</source>
        <translation>Schritte als JSON …</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <source>Last steps of the engine</source>
        <translation>Letzte Schritte der Engine</translation>
    </message>
    <message>
        <source>no model</source>
        <translation>kein Modell</translation>
    </message>
    <message>
        <source>● paused</source>
        <translation>● angehalten</translation>
    </message>
    <message>
        <source>○ idle</source>
        <translation>○ untätig</translation>
    </message>
    <message>
        <source>● live</source>
        <translation>● live</translation>
    </message>
    <message>
        <source>No model is loaded; the engine has nothing to show yet.</source>
        <translation>Es ist kein Modell geladen; die Engine hat noch nichts zu zeigen.</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>Modell öffnen</translation>
    </message>
    <message>
        <source>Idle: the last activity is shown dimmed.</source>
        <translation>Untätig: die letzte Aktivität erscheint abgeblendet.</translation>
    </message>
    <message>
        <source>Nothing holds the engine back.</source>
        <translation>Nichts bremst die Engine.</translation>
    </message>
    <message>
        <source>Export steps</source>
        <translation>Schritte exportieren</translation>
    </message>
    <message>
        <source>%1: %2. Choose another folder.</source>
        <translation>%1: %2. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>at %1 s</source>
        <translation>bei %1 s</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>%1 kernels of the loaded model</source>
        <translation>%1 Kernel des geladenen Modells</translation>
    </message>
    <message>
        <source>%1 steps in the selected %2 s</source>
        <translation>%1 Schritte in den gewählten %2 s</translation>
    </message>
    <message>
        <source>The last %1 steps up to the playhead</source>
        <translation>Die letzten %1 Schritte bis zur Abspielmarke</translation>
    </message>
    <message>
        <source>The last %1 steps</source>
        <translation>Die letzten %1 Schritte</translation>
    </message>
    <message>
        <source>writing %1</source>
        <translation>%1 wird geschrieben</translation>
    </message>
    <message>
        <source>recording %1</source>
        <translation>Aufzeichnung %1</translation>
    </message>
    <message>
        <source>A recording is shown: %1 steps of %2. Names of requests and texts are not in it.</source>
        <translation>Gezeigt wird eine Aufzeichnung: %1 Schritte von %2. Namen der Anfragen und Texte sind nicht darin.</translation>
    </message>
    <message>
        <source>Show the figure</source>
        <translation>Wert zeigen</translation>
    </message>
    <message>
        <source>A recording holds no text.</source>
        <translation>Eine Aufzeichnung enthält keinen Text.</translation>
    </message>
    <message>
        <source>Text is known of the present only.</source>
        <translation>Text ist nur für die Gegenwart bekannt.</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Move the playhead through what is shown</source>
        <translation>Abspielmarke durch das Gezeigte bewegen</translation>
    </message>
    <message>
        <source>Back to live</source>
        <translation>Zurück zu live</translation>
    </message>
    <message>
        <source>Close the recording</source>
        <translation>Aufzeichnung schließen</translation>
    </message>
    <message>
        <source>Write what is shown to a file</source>
        <translation>Das Gezeigte in eine Datei schreiben</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Trace for Perfetto…</source>
        <translation>Trace für Perfetto …</translation>
    </message>
    <message>
        <source>Save a recording…</source>
        <translation>Aufzeichnung speichern …</translation>
    </message>
    <message>
        <source>Open a recording…</source>
        <translation>Aufzeichnung öffnen …</translation>
    </message>
    <message>
        <source>Why batching helps: policies</source>
        <translation>Warum Batching hilft: Strategien</translation>
    </message>
    <message>
        <source>What blocks save: paging</source>
        <translation>Was Blöcke sparen: Paging</translation>
    </message>
    <message>
        <source>What the prefix cache finds</source>
        <translation>Was der Präfix-Cache findet</translation>
    </message>
    <message>
        <source>What drafts save: speculation</source>
        <translation>Was Entwürfe sparen: Spekulation</translation>
    </message>
    <message>
        <source>What the KV cache saves</source>
        <translation>Was der KV-Cache spart</translation>
    </message>
    <message>
        <source>How many requests fit: capacity</source>
        <translation>Wie viele Anfragen passen: Kapazität</translation>
    </message>
    <message>
        <source>Lab: %1</source>
        <translation>Labor: %1</translation>
    </message>
    <message>
        <source>Drag to replay the past; the wheel zooms, with Shift it moves</source>
        <translation>Ziehen spielt Vergangenes ab; das Rad zoomt, mit Umschalt verschiebt es</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Table shown</source>
        <translation>Gezeigte Tabelle</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Heranzoomen</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Auswahl aufheben</translation>
    </message>
    <message>
        <source>Kernels of the loaded model</source>
        <translation>Kernel des geladenen Modells</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>%1 kann nicht gelesen werden: %2.</translation>
    </message>
    <message>
        <source>Choose another file.</source>
        <translation>Wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>%1 has %2 bytes; a recording has at most %3.</source>
        <translation>%1 hat %2 Byte; eine Aufzeichnung hat höchstens %3.</translation>
    </message>
    <message>
        <source>Choose a file that Vitrine saved.</source>
        <translation>Wählen Sie eine Datei, die Vitrine gespeichert hat.</translation>
    </message>
    <message>
        <source>Export a trace</source>
        <translation>Trace exportieren</translation>
    </message>
    <message>
        <source>Save a recording</source>
        <translation>Aufzeichnung speichern</translation>
    </message>
    <message>
        <source>The file was not written</source>
        <translation>Die Datei wurde nicht geschrieben</translation>
    </message>
    <message>
        <source>Open a recording</source>
        <translation>Aufzeichnung öffnen</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>Aufzeichnungen</translation>
    </message>
    <message>
        <source>The recording was not opened</source>
        <translation>Die Aufzeichnung wurde nicht geöffnet</translation>
    </message>
    <message>
        <source>Only this program&apos;s own requests are shown. %1</source>
        <translation>Gezeigt werden nur die Anfragen dieses Programms. %1</translation>
    </message>
    <message>
        <source>The metrics of %1 are read once a second.</source>
        <translation>Die Metriken von %1 werden jede Sekunde gelesen.</translation>
    </message>
    <message>
        <source>Nothing waits at %1.</source>
        <translation>Bei %1 wartet nichts.</translation>
    </message>
    <message>
        <source>%1 requests wait at %2: %3 run, and %4 of its KV cache is in use.</source>
        <translation>%1 Anfragen warten bei %2: %3 laufen, und %4 des KV-Caches sind belegt.</translation>
    </message>
    <message>
        <source>%1 requests wait at %2, %3 run.</source>
        <translation>%1 Anfragen warten bei %2, %3 laufen.</translation>
    </message>
    <message>
        <source>The last %1 readings, as the server gives them</source>
        <translation>Die letzten %1 Ablesungen, wie der Server sie gibt</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>Whose engine is shown: this computer&apos;s or that of a server</source>
        <translation>Wessen Engine gezeigt wird: die dieses Rechners oder die eines Servers</translation>
    </message>
    <message>
        <source>Readings as CSV…</source>
        <translation>Ablesungen als CSV …</translation>
    </message>
    <message>
        <source>Readings as JSON…</source>
        <translation>Ablesungen als JSON …</translation>
    </message>
    <message>
        <source>What fewer bits cost: quantization</source>
        <translation>Was weniger Bits kosten: Quantisierung</translation>
    </message>
    <message>
        <source>What each optimisation buys: ablation</source>
        <translation>Was jede Optimierung bringt: Ablation</translation>
    </message>
    <message>
        <source>Last readings of the server&apos;s metrics</source>
        <translation>Letzte Ablesungen der Metriken des Servers</translation>
    </message>
    <message>
        <source>Of %1 drafts a step %2 are accepted: without drafts it may be faster.</source>
        <translation>Von %1 Entwürfen je Schritt werden %2 angenommen: ohne Entwürfe ist es vielleicht schneller.</translation>
    </message>
    <message>
        <source>%1 requests wait at %2.</source>
        <translation>%1 Anfragen warten bei %2.</translation>
    </message>
    <message>
        <source>Idle: no request has run yet.</source>
        <translation>Untätig: Noch keine Anfrage ist gelaufen.</translation>
    </message>
</context>
<context>
    <name>EnginePicker</name>
    <message>
        <source>The server is not in use</source>
        <translation>Der Server wird nicht benutzt</translation>
    </message>
    <message>
        <source>This computer, no model</source>
        <translation>Dieser Rechner, kein Modell</translation>
    </message>
    <message>
        <source>This computer · %1</source>
        <translation>Dieser Rechner · %1</translation>
    </message>
    <message>
        <source>Models of this computer…</source>
        <translation>Modelle dieses Rechners …</translation>
    </message>
    <message>
        <source>Add a server…</source>
        <translation>Server hinzufügen …</translation>
    </message>
    <message>
        <source>Change a server</source>
        <translation>Server ändern</translation>
    </message>
    <message>
        <source>%1…</source>
        <translation>%1 …</translation>
    </message>
</context>
<context>
    <name>EngineTracks</name>
    <message>
        <source>prefill</source>
        <translation>Einlesen</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>Erzeugen</translation>
    </message>
    <message>
        <source>Decode, all requests</source>
        <translation>Erzeugen, alle Anfragen</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>Tok/s</translation>
    </message>
    <message>
        <source>tokens a step</source>
        <translation>Token je Schritt</translation>
    </message>
    <message>
        <source>sequences</source>
        <translation>Sequenzen</translation>
    </message>
    <message>
        <source>Batch, sequences</source>
        <translation>Batch, Sequenzen</translation>
    </message>
    <message>
        <source>cached</source>
        <translation>zwischengespeichert</translation>
    </message>
    <message>
        <source>active</source>
        <translation>aktiv</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>geteilt</translation>
    </message>
    <message>
        <source>KV blocks in use</source>
        <translation>Belegte KV-Blöcke</translation>
    </message>
    <message>
        <source>prefix hits</source>
        <translation>Präfixtreffer</translation>
    </message>
    <message>
        <source>Prefix hits, 60 s</source>
        <translation>Präfixtreffer, 60 s</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>Accepted drafts</source>
        <translation>Angenommene Entwürfe</translation>
    </message>
    <message>
        <source>p50</source>
        <translation>p50</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>p99</source>
        <translation>p99</translation>
    </message>
    <message>
        <source>First token, p50</source>
        <translation>Erstes Token, p50</translation>
    </message>
    <message>
        <source>Between tokens, p50</source>
        <translation>Zwischen Token, p50</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>Vorwärtslauf</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>Schrittdauer</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>KV in use</source>
        <translation>KV belegt</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Device memory</source>
        <translation>Gerätespeicher</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>Spitze %1</translation>
    </message>
    <message>
        <source>a step</source>
        <translation>je Schritt</translation>
    </message>
    <message>
        <source>%1 all</source>
        <translation>%1 gesamt</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>von %1</translation>
    </message>
    <message>
        <source>p95 %1 · p99 %2</source>
        <translation>p95 %1 · p99 %2</translation>
    </message>
    <message>
        <source>host %1</source>
        <translation>Host %1</translation>
    </message>
    <message>
        <source>KV %1</source>
        <translation>KV %1</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>belegt</translation>
    </message>
    <message>
        <source>%1 tok</source>
        <translation>%1 Tok</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>draft and schedule</source>
        <translation>Entwürfe und Planung</translation>
    </message>
    <message>
        <source>detokenize</source>
        <translation>Detokenisieren</translation>
    </message>
    <message>
        <source>sample</source>
        <translation>Sampling</translation>
    </message>
    <message>
        <source>KV free</source>
        <translation>KV frei</translation>
    </message>
    <message>
        <source>Lab: would fewer bits be faster?</source>
        <translation>Labor: Wären weniger Bits schneller?</translation>
    </message>
    <message>
        <source>Lab: why does batching help?</source>
        <translation>Labor: Warum hilft Batching?</translation>
    </message>
    <message>
        <source>Lab: what do blocks save?</source>
        <translation>Labor: Was sparen Blöcke?</translation>
    </message>
    <message>
        <source>Lab: what does the prefix cache find?</source>
        <translation>Labor: Was findet der Präfix-Cache?</translation>
    </message>
    <message>
        <source>Lab: when do drafts pay?</source>
        <translation>Labor: Wann lohnen sich Entwürfe?</translation>
    </message>
    <message>
        <source>Lab: which policy answers first?</source>
        <translation>Labor: Welche Strategie antwortet zuerst?</translation>
    </message>
    <message>
        <source>Lab: what does a token cost without the KV cache?</source>
        <translation>Labor: Was kostet ein Token ohne KV-Cache?</translation>
    </message>
    <message>
        <source>Lab: what does each optimisation buy?</source>
        <translation>Labor: Was bringt jede Optimierung?</translation>
    </message>
    <message>
        <source>Lab: how many requests fit?</source>
        <translation>Labor: Wie viele Anfragen passen?</translation>
    </message>
    <message>
        <source>Requests running</source>
        <translation>Laufende Anfragen</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartend</translation>
    </message>
    <message>
        <source>running</source>
        <translation>laufend</translation>
    </message>
    <message>
        <source>KV cache in use</source>
        <translation>KV-Cache belegt</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 wartend</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>Dekodieren</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>Erstes Token</translation>
    </message>
    <message>
        <source>Between tokens</source>
        <translation>Zwischen Token</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Laufend</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV-Cache</translation>
    </message>
    <message>
        <source>KV blocks</source>
        <translation>KV-Blöcke</translation>
    </message>
    <message>
        <source>Prefix hits</source>
        <translation>Präfixtreffer</translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation>Entwürfe</translation>
    </message>
</context>
<context>
    <name>ErrorBanner</name>
    <message>
        <source>Close the message</source>
        <translation>Meldung schließen</translation>
    </message>
</context>
<context>
    <name>ErrorText</name>
    <message>
        <source>%1 is not there any more.</source>
        <translation>%1 ist nicht mehr da.</translation>
    </message>
    <message>
        <source>%1 may not be read by this user.</source>
        <translation>%1 darf von diesem Benutzer nicht gelesen werden.</translation>
    </message>
    <message>
        <source>%1 cannot be opened: %2.</source>
        <translation>%1 lässt sich nicht öffnen: %2.</translation>
    </message>
    <message>
        <source>%1 is a folder; a file is needed.</source>
        <translation>%1 ist ein Ordner; gebraucht wird eine Datei.</translation>
    </message>
    <message>
        <source>%1 cannot be read into memory: %2 bytes (%3).</source>
        <translation>%1 lässt sich nicht in den Speicher einblenden: %2 Byte (%3).</translation>
    </message>
    <message>
        <source>%1 ends too early: tensor %2 needs %4 bytes from byte %5 on, and the data have %3.</source>
        <translation>%1 endet zu früh: Tensor %2 braucht %4 Byte ab Byte %5, und die Daten haben %3.</translation>
    </message>
    <message>
        <source>%1 is no GGUF file: it begins with %2 instead of %3.</source>
        <translation>%1 ist keine GGUF-Datei: Sie beginnt mit %2 statt %3.</translation>
    </message>
    <message>
        <source>%1 has GGUF version %2; versions 2 and 3 can be read.</source>
        <translation>%1 hat die GGUF-Version %2; lesbar sind die Versionen 2 und 3.</translation>
    </message>
    <message>
        <source>The model&apos;s architecture, &quot;%1&quot;, is none that this version runs.</source>
        <translation>Die Architektur des Modells, „%1“, kann diese Version nicht ausführen.</translation>
    </message>
    <message>
        <source>%1 KV blocks need %2 (%3 bytes), and %4 (%5 bytes) are free beside the weights.</source>
        <translation>%1 KV-Blöcke brauchen %2 (%3 Byte), und neben den Gewichten sind %4 (%5 Byte) frei.</translation>
    </message>
    <message>
        <source>The model and the KV cache of one sequence of %1 tokens need %2 (%3 bytes); %4 (%5 bytes, %6 % of what is free) may be used.</source>
        <translation>Das Modell und der KV-Cache einer Sequenz von %1 Token brauchen %2 (%3 Byte); benutzt werden dürfen %4 (%5 Byte, %6 % dessen, was frei ist).</translation>
    </message>
    <message>
        <source>The prompt has %1 tokens, and the context holds %2.</source>
        <translation>Der Prompt hat %1 Token, und der Kontext fasst %2.</translation>
    </message>
    <message>
        <source>The prompt has %1 tokens, the context holds %2, and one is needed for the answer.</source>
        <translation>Der Prompt hat %1 Token, der Kontext fasst %2, und einer wird für die Antwort gebraucht.</translation>
    </message>
    <message>
        <source>Prompt and answer need %1 KV blocks, and the pool has %2.</source>
        <translation>Prompt und Antwort brauchen %1 KV-Blöcke, und der Vorrat hat %2.</translation>
    </message>
    <message>
        <source>Port %1 on %2 is in use by another program.</source>
        <translation>Port %1 auf %2 wird von einem anderen Programm benutzt.</translation>
    </message>
    <message>
        <source>Cannot listen on %1 port %2: %3.</source>
        <translation>Auf %1, Port %2, kann nicht gelauscht werden: %3.</translation>
    </message>
    <message>
        <source>No model is loaded.</source>
        <translation>Es ist kein Modell geladen.</translation>
    </message>
    <message>
        <source>Another model is being loaded.</source>
        <translation>Es wird gerade ein anderes Modell geladen.</translation>
    </message>
    <message>
        <source>Too many requests are being prepared at once.</source>
        <translation>Es werden zu viele Anfragen gleichzeitig vorbereitet.</translation>
    </message>
    <message>
        <source>The device failed, and the model is being loaded again.</source>
        <translation>Das Gerät ist ausgefallen, und das Modell wird neu geladen.</translation>
    </message>
    <message>
        <source>No CUDA device is installed.</source>
        <translation>Es ist kein CUDA-Gerät eingebaut.</translation>
    </message>
    <message>
        <source>No NVIDIA driver is installed: %1 is not there.</source>
        <translation>Es ist kein NVIDIA-Treiber installiert: %1 fehlt.</translation>
    </message>
    <message>
        <source>Check the path and the permission to read it.</source>
        <translation>Prüfen Sie den Pfad und das Leserecht.</translation>
    </message>
    <message>
        <source>Give the path of the file itself.</source>
        <translation>Geben Sie den Pfad der Datei selbst an.</translation>
    </message>
    <message>
        <source>Copy the file to a local disk, or free address space.</source>
        <translation>Kopieren Sie die Datei auf eine lokale Festplatte, oder schaffen Sie Adressraum.</translation>
    </message>
    <message>
        <source>The file is incomplete or damaged: download it again.</source>
        <translation>Die Datei ist unvollständig oder beschädigt: Laden Sie sie noch einmal herunter.</translation>
    </message>
    <message>
        <source>The file is damaged or was written by a faulty program: download or convert it again.</source>
        <translation>Die Datei ist beschädigt oder stammt von einem fehlerhaften Programm: Laden oder konvertieren Sie sie noch einmal.</translation>
    </message>
    <message>
        <source>Choose a GGUF file.</source>
        <translation>Wählen Sie eine GGUF-Datei.</translation>
    </message>
    <message>
        <source>Choose a shorter context, a smaller KV type (int8) or a smaller model.</source>
        <translation>Wählen Sie einen kürzeren Kontext, einen kleineren KV-Typ (int8) oder ein kleineres Modell.</translation>
    </message>
    <message>
        <source>Shorten the conversation, or load the model with a longer context.</source>
        <translation>Kürzen Sie das Gespräch, oder laden Sie das Modell mit längerem Kontext.</translation>
    </message>
    <message>
        <source>Shorten the prompt, or load the model with a longer context.</source>
        <translation>Kürzen Sie den Prompt, oder laden Sie das Modell mit längerem Kontext.</translation>
    </message>
    <message>
        <source>Ask for a shorter answer, shorten the prompt, or load the model with more blocks.</source>
        <translation>Verlangen Sie eine kürzere Antwort, kürzen Sie den Prompt, oder laden Sie das Modell mit mehr Blöcken.</translation>
    </message>
    <message>
        <source>Choose another port, for example %1.</source>
        <translation>Wählen Sie einen anderen Port, zum Beispiel %1.</translation>
    </message>
    <message>
        <source>Choose another address or port.</source>
        <translation>Wählen Sie eine andere Adresse oder einen anderen Port.</translation>
    </message>
    <message>
        <source>Load a model first.</source>
        <translation>Laden Sie zuerst ein Modell.</translation>
    </message>
    <message>
        <source>Wait for it, or cancel it.</source>
        <translation>Warten Sie darauf, oder brechen Sie es ab.</translation>
    </message>
    <message>
        <source>Try again in a moment.</source>
        <translation>Versuchen Sie es gleich noch einmal.</translation>
    </message>
    <message>
        <source>Send the request again in a moment.</source>
        <translation>Senden Sie die Anfrage gleich noch einmal.</translation>
    </message>
    <message>
        <source>Use the CPU.</source>
        <translation>Benutzen Sie die CPU.</translation>
    </message>
    <message>
        <source>Install the driver, or use the CPU.</source>
        <translation>Installieren Sie den Treiber, oder benutzen Sie die CPU.</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>%1 lässt sich nicht lesen: %2.</translation>
    </message>
    <message>
        <source>%1 is a device or a pipe; a regular file is needed.</source>
        <translation>%1 ist ein Gerät oder eine Pipe; gebraucht wird eine gewöhnliche Datei.</translation>
    </message>
    <message>
        <source>%1 cannot be created: %2.</source>
        <translation>%1 lässt sich nicht anlegen: %2.</translation>
    </message>
    <message>
        <source>There is no space for %1: %2.</source>
        <translation>Für %1 ist kein Platz: %2.</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>%1 lässt sich nicht schreiben: %2.</translation>
    </message>
    <message>
        <source>%1 cannot be written to the disk: %2.</source>
        <translation>%1 lässt sich nicht auf die Platte schreiben: %2.</translation>
    </message>
    <message>
        <source>%1 is complete and cannot be renamed: %2.</source>
        <translation>%1 ist fertig und lässt sich nicht umbenennen: %2.</translation>
    </message>
    <message>
        <source>%1 ends too early: at byte %4 there are %3 bytes, and %5 are needed.</source>
        <translation>%1 endet zu früh: Ab Byte %4 sind %3 Byte da, und %5 werden gebraucht.</translation>
    </message>
    <message>
        <source>%1 is damaged (%2).</source>
        <translation>%1 ist beschädigt (%2).</translation>
    </message>
    <message>
        <source>%1 was made for big-endian machines; a little-endian file is needed.</source>
        <translation>%1 ist für Big-Endian-Maschinen gemacht; gebraucht wird eine Little-Endian-Datei.</translation>
    </message>
    <message>
        <source>%1 is part %2 of %3; the first part is needed.</source>
        <translation>%1 ist Teil %2 von %3; gebraucht wird der erste Teil.</translation>
    </message>
    <message>
        <source>The parts of %1 do not belong together (%2).</source>
        <translation>Die Teile von %1 gehören nicht zusammen (%2).</translation>
    </message>
    <message>
        <source>%1 holds &quot;%2&quot; twice.</source>
        <translation>%1 enthält „%2“ zweimal.</translation>
    </message>
    <message>
        <source>%1 lacks the entry &quot;%2&quot;.</source>
        <translation>%1 fehlt der Eintrag „%2“.</translation>
    </message>
    <message>
        <source>The entry &quot;%2&quot; of %1 is of the wrong type: %3.</source>
        <translation>Der Eintrag „%2“ von %1 hat den falschen Typ: %3.</translation>
    </message>
    <message>
        <source>The entry &quot;%2&quot; of %1 is %3; at most %4 is possible.</source>
        <translation>Der Eintrag „%2“ von %1 ist %3; möglich ist höchstens %4.</translation>
    </message>
    <message>
        <source>This file holds the part of a model that sees pictures (mmproj), not the model.</source>
        <translation>Diese Datei enthält den Teil eines Modells, der Bilder sieht (mmproj), nicht das Modell.</translation>
    </message>
    <message>
        <source>%1 holds a vocabulary and no weights.</source>
        <translation>%1 enthält ein Vokabular und keine Gewichte.</translation>
    </message>
    <message>
        <source>%1 holds no .safetensors file.</source>
        <translation>%1 enthält keine .safetensors-Datei.</translation>
    </message>
    <message>
        <source>%1 describes no model that can be built (%2).</source>
        <translation>%1 beschreibt kein Modell, das sich aufbauen lässt (%2).</translation>
    </message>
    <message>
        <source>The entry &quot;%2&quot; of %1 is no finite number.</source>
        <translation>Der Eintrag „%2“ von %1 ist keine endliche Zahl.</translation>
    </message>
    <message>
        <source>The entry &quot;%2&quot; of %1 differs from layer to layer (%3 and %4).</source>
        <translation>Der Eintrag „%2“ von %1 ist von Schicht zu Schicht verschieden (%3 und %4).</translation>
    </message>
    <message>
        <source>The entry &quot;%2&quot; of %1 is %3; %4 to %5 is possible.</source>
        <translation>Der Eintrag „%2“ von %1 ist %3; möglich ist %4 bis %5.</translation>
    </message>
    <message>
        <source>%1 scales its positions by &quot;%2&quot;, which is not known.</source>
        <translation>%1 skaliert seine Positionen mit „%2“, was nicht bekannt ist.</translation>
    </message>
    <message>
        <source>The entry &quot;%2&quot; of %1 asks for something that this version does not compute.</source>
        <translation>Der Eintrag „%2“ von %1 verlangt etwas, das diese Version nicht rechnet.</translation>
    </message>
    <message>
        <source>%1 lacks the tensor %2.</source>
        <translation>%1 fehlt der Tensor %2.</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 has type number %3, which this version cannot compute.</source>
        <translation>Tensor %2 von %1 hat die Typnummer %3, mit der diese Version nicht rechnet.</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 has %3 values; %4 are needed.</source>
        <translation>Tensor %2 von %1 hat %3 Werte; gebraucht werden %4.</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 is %3 by %4; %5 by %6 is needed.</source>
        <translation>Tensor %2 von %1 ist %3 mal %4; gebraucht wird %5 mal %6.</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 has no place in the architecture %3 as this version knows it.</source>
        <translation>Tensor %2 von %1 hat in der Architektur %3, wie diese Version sie kennt, keinen Platz.</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 has no data.</source>
        <translation>Tensor %2 von %1 hat keine Daten.</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 cannot be used: %3.</source>
        <translation>Tensor %2 von %1 ist nicht zu gebrauchen: %3.</translation>
    </message>
    <message>
        <source>%1 has the tokenizer &quot;%2&quot;; gpt2, llama, gemma4, bert and t5 can be read.</source>
        <translation>%1 hat den Tokenizer „%2“; lesbar sind gpt2, llama, gemma4, bert und t5.</translation>
    </message>
    <message>
        <source>%1 cuts its text by &quot;%2&quot;, which this version does not know.</source>
        <translation>%1 zerlegt seinen Text nach „%2“, was diese Version nicht kennt.</translation>
    </message>
    <message>
        <source>The vocabulary of %1 is incomplete (%2).</source>
        <translation>Das Vokabular von %1 ist unvollständig (%2).</translation>
    </message>
    <message>
        <source>The draft model has another vocabulary: token %1 is %2 in the model and %3 in the draft.</source>
        <translation>Das Entwurfsmodell hat ein anderes Vokabular: Token %1 ist %2 im Modell und %3 im Entwurf.</translation>
    </message>
    <message>
        <source>The draft model has %1 tokens, and the model %2.</source>
        <translation>Das Entwurfsmodell hat %1 Token und das Modell %2.</translation>
    </message>
    <message>
        <source>The draft model has no vocabulary that could be compared with the model&apos;s.</source>
        <translation>Das Entwurfsmodell hat kein Vokabular, das sich mit dem des Modells vergleichen ließe.</translation>
    </message>
    <message>
        <source>The model has no vocabulary that could be compared with the draft model&apos;s.</source>
        <translation>Das Modell hat kein Vokabular, das sich mit dem des Entwurfsmodells vergleichen ließe.</translation>
    </message>
    <message>
        <source>Loading %1 was cancelled.</source>
        <translation>Das Laden von %1 wurde abgebrochen.</translation>
    </message>
    <message>
        <source>Not one of %1 layers fits the GPU: %2.</source>
        <translation>Keine einzige von %1 Schichten passt auf die GPU: %2.</translation>
    </message>
    <message>
        <source>The system gave no %1 bytes of memory.</source>
        <translation>Das System gab keine %1 Byte Speicher her.</translation>
    </message>
    <message>
        <source>The workspace of a step needs %1 bytes, which the system did not give.</source>
        <translation>Der Arbeitsbereich eines Schritts braucht %1 Byte, die das System nicht hergab.</translation>
    </message>
    <message>
        <source>The GPU lacks memory: %2 MiB are needed at once, and %3 MiB are free.</source>
        <translation>Der GPU fehlt Speicher: %2 MiB werden auf einmal gebraucht, und %3 MiB sind frei.</translation>
    </message>
    <message>
        <source>%1 KV blocks are needed, and %2 of %3 are free.</source>
        <translation>%1 KV-Blöcke werden gebraucht, und %2 von %3 sind frei.</translation>
    </message>
    <message>
        <source>%1 sequences of %2 tokens need %3 KV blocks, and there are %4.</source>
        <translation>%1 Sequenzen von %2 Token brauchen %3 KV-Blöcke, und es gibt %4.</translation>
    </message>
    <message>
        <source>There is no device &quot;%1&quot;.</source>
        <translation>Es gibt kein Gerät „%1“.</translation>
    </message>
    <message>
        <source>Device %1 cannot be used: %2.</source>
        <translation>Das Gerät %1 lässt sich nicht benutzen: %2.</translation>
    </message>
    <message>
        <source>Device %1 is not there; CUDA devices found: %2.</source>
        <translation>Das Gerät %1 ist nicht da; gefundene CUDA-Geräte: %2.</translation>
    </message>
    <message>
        <source>The plugin lib%1.so is not installed.</source>
        <translation>Das Plugin lib%1.so ist nicht installiert.</translation>
    </message>
    <message>
        <source>%1 is cut short: it has %2 of at least %3 bytes.</source>
        <translation>%1 ist abgeschnitten: Es hat %2 von mindestens %3 Byte.</translation>
    </message>
    <message>
        <source>%1 has interface version %2; this version needs %3.</source>
        <translation>%1 hat die Schnittstellenversion %2; diese Version braucht %3.</translation>
    </message>
    <message>
        <source>%1 is of build %2; this is build %3.</source>
        <translation>%1 gehört zum Build %2; dies ist Build %3.</translation>
    </message>
    <message>
        <source>%1 does not load: %2.</source>
        <translation>%1 lässt sich nicht laden: %2.</translation>
    </message>
    <message>
        <source>%1 is no Vitrine plugin: %2.</source>
        <translation>%1 ist kein Vitrine-Plugin: %2.</translation>
    </message>
    <message>
        <source>%1 gave no entry.</source>
        <translation>%1 gab keinen Einstieg.</translation>
    </message>
    <message>
        <source>%1 CPU threads could not be started: %2.</source>
        <translation>%1 CPU-Threads ließen sich nicht starten: %2.</translation>
    </message>
    <message>
        <source>The instruction set %2 is chosen, which this CPU (%3) lacks.</source>
        <translation>Gewählt ist der Befehlssatz %2, der dieser CPU (%3) fehlt.</translation>
    </message>
    <message>
        <source>%1 layers are wanted on a GPU, and the device is %2.</source>
        <translation>%1 Schichten sollen auf eine GPU, und das Gerät ist %2.</translation>
    </message>
    <message>
        <source>%1 layers are wanted on a GPU, and the device is %2: %3.</source>
        <translation>%1 Schichten sollen auf eine GPU, und das Gerät ist %2: %3.</translation>
    </message>
    <message>
        <source>The device %1 (%2) cannot run &quot;%3&quot;: %4.</source>
        <translation>Das Gerät %1 (%2) kann „%3“ nicht ausführen: %4.</translation>
    </message>
    <message>
        <source>No NVIDIA driver is installed.</source>
        <translation>Es ist kein NVIDIA-Treiber installiert.</translation>
    </message>
    <message>
        <source>The NVIDIA driver supports CUDA %1; this version needs %2.</source>
        <translation>Der NVIDIA-Treiber kann CUDA %1; diese Version braucht %2.</translation>
    </message>
    <message>
        <source>The NVIDIA driver finds no GPU.</source>
        <translation>Der NVIDIA-Treiber findet keine GPU.</translation>
    </message>
    <message>
        <source>The NVIDIA driver answers: %1.</source>
        <translation>Der NVIDIA-Treiber antwortet: %1.</translation>
    </message>
    <message>
        <source>%1 has compute capability %2; %3 is needed.</source>
        <translation>%1 hat die Compute Capability %2; gebraucht wird %3.</translation>
    </message>
    <message>
        <source>%1 has compute capability %2, for which this version has no code.</source>
        <translation>%1 hat die Compute Capability %2, für die diese Version keinen Code hat.</translation>
    </message>
    <message>
        <source>The GPU failed (%1): %2.</source>
        <translation>Die GPU ist ausgefallen (%1): %2.</translation>
    </message>
    <message>
        <source>The prompt has no tokens.</source>
        <translation>Der Prompt hat keine Token.</translation>
    </message>
    <message>
        <source>The engine has no room for another request.</source>
        <translation>Die Engine hat keinen Platz für eine weitere Anfrage.</translation>
    </message>
    <message>
        <source>The engine is stopping.</source>
        <translation>Die Engine hält gerade an.</translation>
    </message>
    <message>
        <source>This model is an encoder: it gives embeddings and no text.</source>
        <translation>Dieses Modell ist ein Encoder: Es gibt Einbettungen und keinen Text.</translation>
    </message>
    <message>
        <source>This model has no vocabulary, so it takes and gives token numbers only.</source>
        <translation>Dieses Modell hat kein Vokabular; es nimmt und gibt nur Tokennummern.</translation>
    </message>
    <message>
        <source>This model has no vocabulary, so no grammar can be enforced.</source>
        <translation>Dieses Modell hat kein Vokabular; eine Grammatik lässt sich nicht erzwingen.</translation>
    </message>
    <message>
        <source>This model has no tokens for filling a gap.</source>
        <translation>Dieses Modell hat keine Token zum Füllen einer Lücke.</translation>
    </message>
    <message>
        <source>No token is allowed at this position.</source>
        <translation>An dieser Stelle ist kein Token erlaubt.</translation>
    </message>
    <message>
        <source>The grammar and the token biases together allow no token at this position.</source>
        <translation>Grammatik und Token-Gewichte zusammen erlauben an dieser Stelle kein Token.</translation>
    </message>
    <message>
        <source>The chat template fails in line %1, column %2: %3.</source>
        <translation>Die Chatvorlage scheitert in Zeile %1, Spalte %2: %3.</translation>
    </message>
    <message>
        <source>The chat template has %1 bytes; at most %2 are read.</source>
        <translation>Die Chatvorlage hat %1 Byte; gelesen werden höchstens %2.</translation>
    </message>
    <message>
        <source>The chat template found no memory for its work.</source>
        <translation>Für die Chatvorlage war kein Speicher mehr da.</translation>
    </message>
    <message>
        <source>The run was stopped.</source>
        <translation>Der Lauf wurde angehalten.</translation>
    </message>
    <message>
        <source>The text has %1 tokens; one window needs %2.</source>
        <translation>Der Text hat %1 Token; ein Fenster braucht %2.</translation>
    </message>
    <message>
        <source>%1 has %2 tokens, and %3 has %4.</source>
        <translation>%1 hat %2 Token, und %3 hat %4.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no quantization that this version can write.</source>
        <translation>„%1“ ist keine Quantisierung, die diese Version schreiben kann.</translation>
    </message>
    <message>
        <source>Quantizing %1 was cancelled.</source>
        <translation>Das Quantisieren von %1 wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The server is already running on port %1.</source>
        <translation>Der Server läuft bereits auf Port %1.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no IP address.</source>
        <translation>„%1“ ist keine IP-Adresse.</translation>
    </message>
    <message>
        <source>%1 can be reached from other computers, and no API key is set.</source>
        <translation>%1 ist von anderen Rechnern aus erreichbar, und es ist kein API-Schlüssel gesetzt.</translation>
    </message>
    <message>
        <source>%1 is no port.</source>
        <translation>%1 ist kein Port.</translation>
    </message>
    <message>
        <source>Check the disk.</source>
        <translation>Prüfen Sie die Platte.</translation>
    </message>
    <message>
        <source>Free %1 bytes on this disk, or choose another folder.</source>
        <translation>Schaffen Sie %1 Byte Platz auf dieser Platte, oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Check that the folder exists and may be written.</source>
        <translation>Prüfen Sie, ob der Ordner da ist und beschrieben werden darf.</translation>
    </message>
    <message>
        <source>Choose a GGUF file of the model.</source>
        <translation>Wählen Sie eine GGUF-Datei des Modells.</translation>
    </message>
    <message>
        <source>Choose a .gguf file, or a folder with config.json and *.safetensors.</source>
        <translation>Wählen Sie eine .gguf-Datei oder einen Ordner mit config.json und *.safetensors.</translation>
    </message>
    <message>
        <source>Convert the model for little-endian machines.</source>
        <translation>Konvertieren Sie das Modell für Little-Endian-Maschinen.</translation>
    </message>
    <message>
        <source>Convert the model with a current program.</source>
        <translation>Konvertieren Sie das Modell mit einem aktuellen Programm.</translation>
    </message>
    <message>
        <source>Open the file whose name ends in &quot;-00001-of-%1.gguf&quot;.</source>
        <translation>Öffnen Sie die Datei, deren Name auf „-00001-of-%1.gguf“ endet.</translation>
    </message>
    <message>
        <source>Put all parts of the model, from one download, into one folder.</source>
        <translation>Legen Sie alle Teile des Modells aus demselben Download in einen Ordner.</translation>
    </message>
    <message>
        <source>Fetch the model again.</source>
        <translation>Laden Sie das Modell noch einmal herunter.</translation>
    </message>
    <message>
        <source>Use a file from a complete conversion of the model.</source>
        <translation>Benutzen Sie eine Datei aus einer vollständigen Konvertierung des Modells.</translation>
    </message>
    <message>
        <source>Known: %1.</source>
        <translation>Bekannt sind: %1.</translation>
    </message>
    <message>
        <source>The nearest is &quot;%1&quot;. Known: %2.</source>
        <translation>Am nächsten kommt „%1“. Bekannt sind: %2.</translation>
    </message>
    <message>
        <source>This version reads text only; choose the model&apos;s own file.</source>
        <translation>Diese Version liest nur Text; wählen Sie die Datei des Modells selbst.</translation>
    </message>
    <message>
        <source>Choose the whole model; this file only tokenizes.</source>
        <translation>Wählen Sie das ganze Modell; diese Datei zerlegt nur Text in Token.</translation>
    </message>
    <message>
        <source>Choose a whole model for drafting.</source>
        <translation>Wählen Sie zum Entwerfen ein ganzes Modell.</translation>
    </message>
    <message>
        <source>The file holds a vocabulary only; choose the whole model.</source>
        <translation>Die Datei enthält nur ein Vokabular; wählen Sie das ganze Modell.</translation>
    </message>
    <message>
        <source>The file is damaged; download it again.</source>
        <translation>Die Datei ist beschädigt; laden Sie sie noch einmal herunter.</translation>
    </message>
    <message>
        <source>The file is incomplete or no text model; download it again.</source>
        <translation>Die Datei ist unvollständig oder kein Textmodell; laden Sie sie noch einmal herunter.</translation>
    </message>
    <message>
        <source>The file is damaged or of a kind that this version does not know: choose another file.</source>
        <translation>Die Datei ist beschädigt oder von einer Art, die diese Version nicht kennt: Wählen Sie eine andere.</translation>
    </message>
    <message>
        <source>Choose a model whose layers are alike.</source>
        <translation>Wählen Sie ein Modell, dessen Schichten gleich sind.</translation>
    </message>
    <message>
        <source>Choose a model that scales by none, linear, yarn or longrope.</source>
        <translation>Wählen Sie ein Modell, das mit none, linear, yarn oder longrope skaliert.</translation>
    </message>
    <message>
        <source>Choose another model, or a newer version of this program.</source>
        <translation>Wählen Sie ein anderes Modell oder eine neuere Version dieses Programms.</translation>
    </message>
    <message>
        <source>Choose another file of the model, or a newer version of this program.</source>
        <translation>Wählen Sie eine andere Datei des Modells oder eine neuere Version dieses Programms.</translation>
    </message>
    <message>
        <source>Choose a file of a common quantization such as Q4_K_M, Q8_0 or F16.</source>
        <translation>Wählen Sie eine Datei mit einer üblichen Quantisierung wie Q4_K_M, Q8_0 oder F16.</translation>
    </message>
    <message>
        <source>Choose a model with a byte-pair, SentencePiece, unigram or WordPiece tokenizer.</source>
        <translation>Wählen Sie ein Modell mit einem Byte-Paar-, SentencePiece-, Unigramm- oder WordPiece-Tokenizer.</translation>
    </message>
    <message>
        <source>Choose a draft model of the same family, or n-grams, which need no model.</source>
        <translation>Wählen Sie ein Entwurfsmodell derselben Familie oder n-Gramme, die kein Modell brauchen.</translation>
    </message>
    <message>
        <source>Choose the device &quot;automatic&quot; or &quot;CPU&quot;, or a shorter context.</source>
        <translation>Wählen Sie als Gerät „automatisch“ oder „CPU“, oder einen kürzeren Kontext.</translation>
    </message>
    <message>
        <source>Close other programs, or choose a smaller model or context.</source>
        <translation>Schließen Sie andere Programme, oder wählen Sie ein kleineres Modell oder einen kürzeren Kontext.</translation>
    </message>
    <message>
        <source>Lower the number of tokens per step, or the context.</source>
        <translation>Senken Sie die Zahl der Token je Schritt oder den Kontext.</translation>
    </message>
    <message>
        <source>Take a smaller context or model, or close other programs on the GPU.</source>
        <translation>Nehmen Sie einen kleineren Kontext oder ein kleineres Modell, oder schließen Sie andere Programme auf der GPU.</translation>
    </message>
    <message>
        <source>Close other programs on the GPU, or take a smaller context.</source>
        <translation>Schließen Sie andere Programme auf der GPU, oder nehmen Sie einen kleineren Kontext.</translation>
    </message>
    <message>
        <source>Load the model again; if it stays, run on the CPU.</source>
        <translation>Laden Sie das Modell noch einmal; bleibt es dabei, benutzen Sie die CPU.</translation>
    </message>
    <message>
        <source>Wait for another request to end, or load the model with more blocks.</source>
        <translation>Warten Sie, bis eine andere Anfrage endet, oder laden Sie das Modell mit mehr Blöcken.</translation>
    </message>
    <message>
        <source>Load the model with more blocks.</source>
        <translation>Laden Sie das Modell mit mehr Blöcken.</translation>
    </message>
    <message>
        <source>Choose auto, cpu, cuda or cuda:N.</source>
        <translation>Wählen Sie auto, cpu, cuda oder cuda:N.</translation>
    </message>
    <message>
        <source>Choose cuda:0 to cuda:%1.</source>
        <translation>Wählen Sie cuda:0 bis cuda:%1.</translation>
    </message>
    <message>
        <source>Use the CPU, or install the plugin beside the program.</source>
        <translation>Benutzen Sie die CPU, oder installieren Sie das Plugin neben dem Programm.</translation>
    </message>
    <message>
        <source>Install the plugin again.</source>
        <translation>Installieren Sie das Plugin noch einmal.</translation>
    </message>
    <message>
        <source>Install the plugin that came with this version of Vitrine.</source>
        <translation>Installieren Sie das Plugin, das zu dieser Version von Vitrine gehört.</translation>
    </message>
    <message>
        <source>Install the GPU driver and its libraries, or use the CPU.</source>
        <translation>Installieren Sie den GPU-Treiber und seine Bibliotheken, oder benutzen Sie die CPU.</translation>
    </message>
    <message>
        <source>Remove the file, or install the plugin that came with this version.</source>
        <translation>Entfernen Sie die Datei, oder installieren Sie das Plugin, das zu dieser Version gehört.</translation>
    </message>
    <message>
        <source>Choose fewer threads.</source>
        <translation>Wählen Sie weniger Threads.</translation>
    </message>
    <message>
        <source>Choose a narrower one, avx2 or scalar, or leave the choice to the program.</source>
        <translation>Wählen Sie einen schmaleren, avx2 oder scalar, oder überlassen Sie die Wahl dem Programm.</translation>
    </message>
    <message>
        <source>Leave the number of GPU layers to the program, or choose a GPU as device.</source>
        <translation>Überlassen Sie die Zahl der GPU-Schichten dem Programm, oder wählen Sie eine GPU als Gerät.</translation>
    </message>
    <message>
        <source>Choose another device, or a file in another weight format.</source>
        <translation>Wählen Sie ein anderes Gerät oder eine Datei mit einem anderen Gewichtsformat.</translation>
    </message>
    <message>
        <source>Choose the device &quot;automatic&quot; or &quot;CPU&quot;: the CPU runs this model.</source>
        <translation>Wählen Sie als Gerät „automatisch“ oder „CPU“: Die CPU führt dieses Modell aus.</translation>
    </message>
    <message>
        <source>Install the driver, or run on the CPU.</source>
        <translation>Installieren Sie den Treiber, oder benutzen Sie die CPU.</translation>
    </message>
    <message>
        <source>Update the driver, or run on the CPU.</source>
        <translation>Aktualisieren Sie den Treiber, oder benutzen Sie die CPU.</translation>
    </message>
    <message>
        <source>Check that the GPU is visible to this process (CUDA_VISIBLE_DEVICES), or run on the CPU.</source>
        <translation>Prüfen Sie, ob dieser Prozess die GPU sieht (CUDA_VISIBLE_DEVICES), oder benutzen Sie die CPU.</translation>
    </message>
    <message>
        <source>Restart the driver, or run on the CPU.</source>
        <translation>Starten Sie den Treiber neu, oder benutzen Sie die CPU.</translation>
    </message>
    <message>
        <source>Run on the CPU.</source>
        <translation>Benutzen Sie die CPU.</translation>
    </message>
    <message>
        <source>Build with VITRINE_CUDA_ARCHITECTURES=%1, or run on the CPU.</source>
        <translation>Bauen Sie mit VITRINE_CUDA_ARCHITECTURES=%1, oder benutzen Sie die CPU.</translation>
    </message>
    <message>
        <source>Send at least one token.</source>
        <translation>Senden Sie mindestens ein Token.</translation>
    </message>
    <message>
        <source>Send at least one token of text.</source>
        <translation>Senden Sie mindestens ein Token Text.</translation>
    </message>
    <message>
        <source>Ask /v1/embeddings, or load a model that generates.</source>
        <translation>Fragen Sie /v1/embeddings, oder laden Sie ein Modell, das Text erzeugt.</translation>
    </message>
    <message>
        <source>Send token numbers, or choose a model with a tokenizer.</source>
        <translation>Senden Sie Tokennummern, oder wählen Sie ein Modell mit Tokenizer.</translation>
    </message>
    <message>
        <source>Leave the suffix out, or load a model made for code completion.</source>
        <translation>Lassen Sie die Endung weg, oder laden Sie ein Modell für Codevervollständigung.</translation>
    </message>
    <message>
        <source>Loosen the token biases or the least number of tokens.</source>
        <translation>Lockern Sie die Token-Gewichte oder die Mindestzahl der Token.</translation>
    </message>
    <message>
        <source>Loosen the grammar or the token biases; a grammar must not nest without end.</source>
        <translation>Lockern Sie die Grammatik oder die Token-Gewichte; eine Grammatik darf sich nicht endlos schachteln.</translation>
    </message>
    <message>
        <source>Change the messages to what this template takes, or choose another chat template.</source>
        <translation>Passen Sie die Nachrichten an diese Vorlage an, oder wählen Sie eine andere Chatvorlage.</translation>
    </message>
    <message>
        <source>Choose another chat template.</source>
        <translation>Wählen Sie eine andere Chatvorlage.</translation>
    </message>
    <message>
        <source>Shorten the conversation.</source>
        <translation>Kürzen Sie das Gespräch.</translation>
    </message>
    <message>
        <source>Give a longer text.</source>
        <translation>Geben Sie einen längeren Text an.</translation>
    </message>
    <message>
        <source>Compare a model with the file it was made from.</source>
        <translation>Vergleichen Sie ein Modell mit der Datei, aus der es gemacht wurde.</translation>
    </message>
    <message>
        <source>Nothing was written.</source>
        <translation>Es wurde nichts geschrieben.</translation>
    </message>
    <message>
        <source>Stop it first.</source>
        <translation>Halten Sie ihn zuerst an.</translation>
    </message>
    <message>
        <source>Use 127.0.0.1 or an address of this computer.</source>
        <translation>Benutzen Sie 127.0.0.1 oder eine Adresse dieses Rechners.</translation>
    </message>
    <message>
        <source>Set a key, or listen on 127.0.0.1.</source>
        <translation>Setzen Sie einen Schlüssel, oder lauschen Sie auf 127.0.0.1.</translation>
    </message>
    <message>
        <source>Use a port from 1 to 65535.</source>
        <translation>Benutzen Sie einen Port von 1 bis 65535.</translation>
    </message>
    <message>
        <source>Choose the CPU as device.</source>
        <translation>Wählen Sie die CPU als Gerät.</translation>
    </message>
    <message>
        <source>Choose 0 to use every physical core.</source>
        <translation>Wählen Sie 0, um jeden physischen Kern zu benutzen.</translation>
    </message>
    <message>
        <source>Choose one of these names, or leave the choice to the program.</source>
        <translation>Wählen Sie einen dieser Namen, oder überlassen Sie die Wahl dem Programm.</translation>
    </message>
    <message>
        <source>Run the whole model on one device.</source>
        <translation>Führen Sie das ganze Modell auf einem Gerät aus.</translation>
    </message>
    <message>
        <source>Choose 1 to %1 layers.</source>
        <translation>Wählen Sie 1 bis %1 Schichten.</translation>
    </message>
    <message>
        <source>Choose a device from the list.</source>
        <translation>Wählen Sie ein Gerät aus der Liste.</translation>
    </message>
    <message>
        <source>Check that libcublasLt.so.13 is installed.</source>
        <translation>Prüfen Sie, ob libcublasLt.so.13 installiert ist.</translation>
    </message>
    <message>
        <source>The %1 layers on %2 do not fit: %3.</source>
        <translation>Die %1 Schichten auf %2 passen nicht: %3.</translation>
    </message>
    <message>
        <source>%1 CPU threads are wanted; 0 (all cores) to %2 is possible.</source>
        <translation>Verlangt sind %1 CPU-Threads; möglich ist 0 (alle Kerne) bis %2.</translation>
    </message>
    <message>
        <source>The instruction set &quot;%2&quot; is not known; scalar, avx2, avxvnni, avx512 and amx are.</source>
        <translation>Der Befehlssatz „%2“ ist nicht bekannt; bekannt sind scalar, avx2, avxvnni, avx512 und amx.</translation>
    </message>
    <message>
        <source>The GPU does not run this model: %1.</source>
        <translation>Die GPU führt dieses Modell nicht aus: %1.</translation>
    </message>
    <message>
        <source>The GPU failed (%1), and less than %2 s before it had failed too.</source>
        <translation>Die GPU ist ausgefallen (%1), und weniger als %2 s davor schon einmal.</translation>
    </message>
    <message>
        <source>The GPU failed (%1) and could not be started again (%2).</source>
        <translation>Die GPU ist ausgefallen (%1) und ließ sich nicht wieder starten (%2).</translation>
    </message>
    <message>
        <source>This architecture cannot be shared by two devices: between its layers %1 and %2 lie %3 activations, and one is needed.</source>
        <translation>Diese Architektur lässt sich nicht auf zwei Geräte aufteilen: Zwischen ihren Schichten %1 und %2 liegen %3 Aktivierungen, und gebraucht wird eine.</translation>
    </message>
    <message>
        <source>A model of %1 layers cannot be cut behind layer %2.</source>
        <translation>Ein Modell mit %1 Schichten lässt sich nicht hinter Schicht %2 teilen.</translation>
    </message>
    <message>
        <source>Device %1 does not show the inputs of its matrices.</source>
        <translation>Das Gerät %1 zeigt die Eingaben seiner Matrizen nicht.</translation>
    </message>
    <message>
        <source>There is no usable GPU %1.</source>
        <translation>Es gibt keine benutzbare GPU %1.</translation>
    </message>
    <message>
        <source>The cuBLAS library did not start.</source>
        <translation>Die cuBLAS-Bibliothek ließ sich nicht starten.</translation>
    </message>
    <message>
        <source>Choose another value.</source>
        <translation>Wählen Sie einen anderen Wert.</translation>
    </message>
    <message>
        <source>Choose a value inside the range.</source>
        <translation>Wählen Sie einen Wert in diesem Bereich.</translation>
    </message>
    <message>
        <source>Choose times above 0.</source>
        <translation>Wählen Sie Zeiten über 0.</translation>
    </message>
    <message>
        <source>Choose n-grams or a draft model.</source>
        <translation>Wählen Sie N-Gramme oder ein Entwurfsmodell.</translation>
    </message>
    <message>
        <source>Choose 16 or 32.</source>
        <translation>Wählen Sie 16 oder 32.</translation>
    </message>
    <message>
        <source>Choose a number above 0 and at most 1.</source>
        <translation>Wählen Sie eine Zahl über 0 und höchstens 1.</translation>
    </message>
    <message>
        <source>Raise the value that is too small.</source>
        <translation>Erhöhen Sie den Wert, der zu klein ist.</translation>
    </message>
    <message>
        <source>Read at least %1 tokens at a time.</source>
        <translation>Lassen Sie mindestens %1 Token auf einmal lesen.</translation>
    </message>
    <message>
        <source>Switch the prefix cache off.</source>
        <translation>Schalten Sie den Präfix-Cache aus.</translation>
    </message>
    <message>
        <source>Take %1 tokens per step, or fewer requests at once.</source>
        <translation>Nehmen Sie %1 Token je Schritt oder weniger Anfragen zugleich.</translation>
    </message>
    <message>
        <source>Remove the entry.</source>
        <translation>Entfernen Sie den Eintrag.</translation>
    </message>
    <message>
        <source>Choose a value from -100 to 100.</source>
        <translation>Wählen Sie einen Wert von -100 bis 100.</translation>
    </message>
    <message>
        <source>The setting &quot;%1&quot; is %2; %3 to %4 is possible.</source>
        <translation>Die Einstellung „%1“ ist %2; möglich ist %3 bis %4.</translation>
    </message>
    <message>
        <source>The setting &quot;%1&quot; is %2; at least %3 is possible.</source>
        <translation>Die Einstellung „%1“ ist %2; möglich ist mindestens %3.</translation>
    </message>
    <message>
        <source>The objectives are %1 s to the first token and %2 s a token; both must be above 0.</source>
        <translation>Als Ziele gelten %1 s bis zum ersten Token und %2 s je Token; beide müssen über 0 liegen.</translation>
    </message>
    <message>
        <source>%1 drafts a step are wanted, and nothing is chosen that drafts.</source>
        <translation>Verlangt sind %1 Entwürfe je Schritt, und es ist nichts gewählt, das entwirft.</translation>
    </message>
    <message>
        <source>A KV block cannot hold %1 tokens.</source>
        <translation>Ein KV-Block kann nicht %1 Token fassen.</translation>
    </message>
    <message>
        <source>The share of memory is %1; above 0 and at most 1 is possible.</source>
        <translation>Der Anteil am Speicher ist %1; möglich ist mehr als 0 und höchstens 1.</translation>
    </message>
    <message>
        <source>Requests at once (%1), drafts a step (%2) and context (%3) must be at least 1, 0 and 1.</source>
        <translation>Anfragen zugleich (%1), Entwürfe je Schritt (%2) und Kontext (%3) müssen mindestens 1, 0 und 1 sein.</translation>
    </message>
    <message>
        <source>Prompts are read %1 tokens at a time, less than the %2 of one KV block.</source>
        <translation>Prompts werden in Stücken von %1 Token gelesen, weniger als die %2 eines KV-Blocks.</translation>
    </message>
    <message>
        <source>The prefix cache needs a KV cache that is kept, and kept in blocks; one of both is off.</source>
        <translation>Der Präfix-Cache braucht einen KV-Cache, der aufbewahrt wird, und zwar in Blöcken; eines von beiden ist ausgeschaltet.</translation>
    </message>
    <message>
        <source>A step takes %1 tokens, and %2 sequences with up to %3 drafts each need %4.</source>
        <translation>Ein Schritt nimmt %1 Token, und %2 Sequenzen mit je bis zu %3 Entwürfen brauchen %4.</translation>
    </message>
    <message>
        <source>A step takes %1 tokens, and %2 sequences with up to %3 drafts each need %4, since prompts are read as a whole.</source>
        <translation>Ein Schritt nimmt %1 Token, und %2 Sequenzen mit je bis zu %3 Entwürfen brauchen %4, weil Prompts als Ganzes gelesen werden.</translation>
    </message>
    <message>
        <source>A token bias names token %1; the vocabulary has the numbers 0 to %2.</source>
        <translation>Ein Token-Gewicht nennt Token %1; das Vokabular hat die Nummern 0 bis %2.</translation>
    </message>
    <message>
        <source>The bias of token %1 is no number.</source>
        <translation>Das Gewicht von Token %1 ist keine Zahl.</translation>
    </message>
    <message>
        <source>Check that the folder exists and may be written, and that the disk has room.</source>
        <translation>Prüfen Sie, ob der Ordner da ist und beschrieben werden darf und ob auf der Platte Platz ist.</translation>
    </message>
    <message>
        <source>Choose a GGUF file of the model. %1.</source>
        <translation>Wählen Sie eine GGUF-Datei des Modells. %1.</translation>
    </message>
    <message>
        <source>This version reads folders of text models only; choose a GGUF file of the language model.</source>
        <translation>Diese Version liest nur Ordner von Textmodellen; wählen Sie eine GGUF-Datei des Sprachmodells.</translation>
    </message>
    <message>
        <source>Choose a GGUF file of the model, or download this one again.</source>
        <translation>Wählen Sie eine GGUF-Datei des Modells, oder laden Sie dieses noch einmal herunter.</translation>
    </message>
    <message>
        <source>Choose a model in F32, F16 or BF16, or a GGUF file.</source>
        <translation>Wählen Sie ein Modell in F32, F16 oder BF16, oder eine GGUF-Datei.</translation>
    </message>
    <message>
        <source>Download a newer conversion of the model.</source>
        <translation>Laden Sie eine neuere Konvertierung des Modells herunter.</translation>
    </message>
    <message>
        <source>Choose a model that pools by mean, first or last token.</source>
        <translation>Wählen Sie ein Modell, das nach Mittelwert, erstem oder letztem Token zusammenfasst.</translation>
    </message>
    <message>
        <source>Choose a model that uses 1 (softmax) or 2 (sigmoid).</source>
        <translation>Wählen Sie ein Modell, das 1 (Softmax) oder 2 (Sigmoid) benutzt.</translation>
    </message>
    <message>
        <source>Choose a model in which both are equal.</source>
        <translation>Wählen Sie ein Modell, in dem beide gleich sind.</translation>
    </message>
    <message>
        <source>Choose the number of KV blocks yourself.</source>
        <translation>Wählen Sie die Zahl der KV-Blöcke selbst.</translation>
    </message>
    <message>
        <source>Choose a shorter text.</source>
        <translation>Wählen Sie einen kürzeren Text.</translation>
    </message>
    <message>
        <source>Report this with the name of the model.</source>
        <translation>Melden Sie dies mit dem Namen des Modells.</translation>
    </message>
    <message>
        <source>Close other programs.</source>
        <translation>Schließen Sie andere Programme.</translation>
    </message>
    <message>
        <source>Choose f32, f16, bf16, q8_0, q4_0, q4_1, q5_0, q5_1, q2_k, q3_k, q4_k, q5_k, q6_k, iq4_nl, iq4_xs or mxfp4.</source>
        <translation>Wählen Sie f32, f16, bf16, q8_0, q4_0, q4_1, q5_0, q5_1, q2_k, q3_k, q4_k, q5_k, q6_k, iq4_nl, iq4_xs oder mxfp4.</translation>
    </message>
    <message>
        <source>Choose a type from the list.</source>
        <translation>Wählen Sie einen Typ aus der Liste.</translation>
    </message>
    <message>
        <source>Choose another type.</source>
        <translation>Wählen Sie einen anderen Typ.</translation>
    </message>
    <message>
        <source>The file is damaged; if not, choose bf16.</source>
        <translation>Die Datei ist beschädigt; falls nicht, wählen Sie bf16.</translation>
    </message>
    <message>
        <source>Start from a file of a common type such as F16 or Q8_0.</source>
        <translation>Gehen Sie von einer Datei eines üblichen Typs wie F16 oder Q8_0 aus.</translation>
    </message>
    <message>
        <source>Make the importance matrix again.</source>
        <translation>Erzeugen Sie die Wichtigkeitsmatrix noch einmal.</translation>
    </message>
    <message>
        <source>Choose an importance matrix of this model.</source>
        <translation>Wählen Sie eine Wichtigkeitsmatrix dieses Modells.</translation>
    </message>
    <message>
        <source>Choose a longer calibration text, or a method without one.</source>
        <translation>Wählen Sie einen längeren Kalibrierungstext oder ein Verfahren ohne.</translation>
    </message>
    <message>
        <source>Choose a method without a calibration text.</source>
        <translation>Wählen Sie ein Verfahren ohne Kalibrierungstext.</translation>
    </message>
    <message>
        <source>Choose 64 or 32, or leave the choice to the program.</source>
        <translation>Wählen Sie 64 oder 32, oder überlassen Sie die Wahl dem Programm.</translation>
    </message>
    <message>
        <source>Choose a GGUF type instead.</source>
        <translation>Wählen Sie stattdessen einen GGUF-Typ.</translation>
    </message>
    <message>
        <source>Choose a GGUF type, or start from the model&apos;s own folder.</source>
        <translation>Wählen Sie einen GGUF-Typ, oder gehen Sie vom Ordner des Modells selbst aus.</translation>
    </message>
    <message>
        <source>Choose a GGUF type, or start from the model&apos;s own folder. %1.</source>
        <translation>Wählen Sie einen GGUF-Typ, oder gehen Sie vom Ordner des Modells selbst aus. %1.</translation>
    </message>
    <message>
        <source>Start from the model&apos;s own folder.</source>
        <translation>Gehen Sie vom Ordner des Modells selbst aus.</translation>
    </message>
    <message>
        <source>Choose a folder that does not exist yet.</source>
        <translation>Wählen Sie einen Ordner, den es noch nicht gibt.</translation>
    </message>
    <message>
        <source>%1 cannot be copied: %2.</source>
        <translation>%1 lässt sich nicht kopieren: %2.</translation>
    </message>
    <message>
        <source>%1 is missing.</source>
        <translation>%1 fehlt.</translation>
    </message>
    <message>
        <source>%1: %2 is there, and %3 is needed.</source>
        <translation>%1: Da ist %2, und gebraucht wird %3.</translation>
    </message>
    <message>
        <source>%1: %2 is there, and at most %3 is possible.</source>
        <translation>%1: Da ist %2, und möglich ist höchstens %3.</translation>
    </message>
    <message>
        <source>%1: %2 is there, and %3 to %4 is possible.</source>
        <translation>%1: Da ist %2, und möglich ist %3 bis %4.</translation>
    </message>
    <message>
        <source>%1: %2 is there, and a multiple of %3 is needed.</source>
        <translation>%1: Da ist %2, und gebraucht wird ein Vielfaches von %3.</translation>
    </message>
    <message>
        <source>%1: %2 is there, and a power of two up to %3 is needed.</source>
        <translation>%1: Da ist %2, und gebraucht wird eine Zweierpotenz bis %3.</translation>
    </message>
    <message>
        <source>%1 is there twice.</source>
        <translation>%1 ist zweimal da.</translation>
    </message>
    <message>
        <source>The name of %1 is empty or there twice.</source>
        <translation>Der Name von %1 ist leer oder zweimal da.</translation>
    </message>
    <message>
        <source>%1 is a list of lists; a list of plain values is needed.</source>
        <translation>%1 ist eine Liste von Listen; gebraucht wird eine Liste einfacher Werte.</translation>
    </message>
    <message>
        <source>%1 begins at byte %2 inside another tensor; at least %3 is needed.</source>
        <translation>%1 beginnt bei Byte %2 in einem anderen Tensor; gebraucht wird mindestens %3.</translation>
    </message>
    <message>
        <source>%1 is missing or no size.</source>
        <translation>%1 fehlt oder ist keine Größe.</translation>
    </message>
    <message>
        <source>%1 is no JSON object of at most %2 levels.</source>
        <translation>%1 ist kein JSON-Objekt mit höchstens %2 Ebenen.</translation>
    </message>
    <message>
        <source>%1 and %2 do not fit together.</source>
        <translation>%1 und %2 passen nicht zusammen.</translation>
    </message>
    <message>
        <source>%1 and %2 overlap.</source>
        <translation>%1 und %2 überlappen sich.</translation>
    </message>
    <message>
        <source>%1 groups do not fit a matrix of %2 by %3.</source>
        <translation>%1 Gruppen passen nicht zu einer Matrix von %2 mal %3.</translation>
    </message>
    <message>
        <source>%1 scales do not fit a matrix of %2 by %3.</source>
        <translation>%1 Skalen passen nicht zu einer Matrix von %2 mal %3.</translation>
    </message>
    <message>
        <source>%1 attention heads are no multiple of %2 key and value heads.</source>
        <translation>%1 Attention-Köpfe sind kein Vielfaches von %2 Key-/Value-Köpfen.</translation>
    </message>
    <message>
        <source>The rotated dimension %1 must be even and at most the head dimension %2.</source>
        <translation>Die gedrehte Dimension %1 muss gerade und höchstens die Kopfdimension %2 sein.</translation>
    </message>
    <message>
        <source>Norm epsilon, rope base and rope factor must be above 0.</source>
        <translation>Norm-Epsilon, RoPE-Basis und RoPE-Faktor müssen über 0 liegen.</translation>
    </message>
    <message>
        <source>%1 layers up to %2 wide with %3 heads of %4 are more than this version accepts.</source>
        <translation>%1 Schichten bis zur Breite %2 mit %3 Köpfen von %4 sind mehr, als diese Version annimmt.</translation>
    </message>
    <message>
        <source>The sliding window pattern names %1 of %2 layers.</source>
        <translation>Das Muster der gleitenden Fenster nennt %1 von %2 Schichten.</translation>
    </message>
    <message>
        <source>Latent attention has keys of %1 (rotated %2) and values of %3.</source>
        <translation>Die latente Attention hat Keys von %1 (gedreht %2) und Values von %3.</translation>
    </message>
    <message>
        <source>%1 has %2 bytes; at most %3 are read.</source>
        <translation>%1 hat %2 Byte; gelesen werden höchstens %3.</translation>
    </message>
    <message>
        <source>The index of %1 names &quot;%2&quot;, which is no file of this folder.</source>
        <translation>Das Verzeichnis der Teile von %1 nennt „%2“, was keine Datei dieses Ordners ist.</translation>
    </message>
    <message>
        <source>%1 asks for something that this version does not compute (%2).</source>
        <translation>%1 verlangt etwas, das diese Version nicht rechnet (%2).</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is a model of pictures or sound beside text.</source>
        <translation>%1: „%2“ ist ein Modell für Bilder oder Ton neben Text.</translation>
    </message>
    <message>
        <source>%1: the model type &quot;%2&quot; is none that this version reads from safetensors.</source>
        <translation>%1: Den Modelltyp „%2“ liest diese Version nicht aus safetensors.</translation>
    </message>
    <message>
        <source>The weights of %1 are quantized with &quot;%2&quot; (%3 bits), which this version does not read.</source>
        <translation>Die Gewichte von %1 sind mit „%2“ (%3 Bit) quantisiert, was diese Version nicht liest.</translation>
    </message>
    <message>
        <source>%1 pools by %2, which this version does not do.</source>
        <translation>%1 fasst nach %2 zusammen, was diese Version nicht tut.</translation>
    </message>
    <message>
        <source>%1 pools by %2 too; this version pools in one way.</source>
        <translation>%1 fasst auch nach %2 zusammen; diese Version tut es auf eine Weise.</translation>
    </message>
    <message>
        <source>The entry &quot;%2&quot; of %1 is %3, which this version does not compute.</source>
        <translation>Der Eintrag „%2“ von %1 ist %3, womit diese Version nicht rechnet.</translation>
    </message>
    <message>
        <source>%1 uses %2 of %3 experts for a token; at most all of at most 1024 are possible.</source>
        <translation>%1 benutzt für ein Token %2 von %3 Experten; möglich sind höchstens alle von höchstens 1024.</translation>
    </message>
    <message>
        <source>%1 has value heads of %2 beside key heads of %3.</source>
        <translation>%1 hat Value-Köpfe von %2 neben Key-Köpfen von %3.</translation>
    </message>
    <message>
        <source>The entry &quot;%2&quot; of %1 is 0.</source>
        <translation>Der Eintrag „%2“ von %1 ist 0.</translation>
    </message>
    <message>
        <source>position_embd.weight has %1 rows for a context of %2.</source>
        <translation>position_embd.weight hat %1 Zeilen für einen Kontext von %2.</translation>
    </message>
    <message>
        <source>This DeepSeek file has no tensors attn_k_b and attn_v_b: it was converted before May 2025.</source>
        <translation>Dieser DeepSeek-Datei fehlen die Tensoren attn_k_b und attn_v_b: Sie wurde vor Mai 2025 konvertiert.</translation>
    </message>
    <message>
        <source>Tensor &quot;%2&quot; of %1 has %3 dimensions and %4 bytes; one or two dimensions and some bytes are needed.</source>
        <translation>Tensor „%2“ von %1 hat %3 Dimensionen und %4 Byte; gebraucht werden eine oder zwei Dimensionen und mindestens ein Byte.</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 has another shape or type than the %3 by %4 floating-point numbers that are needed.</source>
        <translation>Tensor %2 von %1 hat eine andere Form oder einen anderen Typ als die gebrauchten %3 mal %4 Gleitkommazahlen.</translation>
    </message>
    <message>
        <source>Tensor &quot;%2&quot; of %1 has %3 rows, which do not make pairs in %4 heads.</source>
        <translation>Tensor „%2“ von %1 hat %3 Zeilen, die in %4 Köpfen keine Paare bilden.</translation>
    </message>
    <message>
        <source>Tensor &quot;%2&quot; of %1 has the type %3, which this version does not know.</source>
        <translation>Tensor „%2“ von %1 hat den Typ %3, den diese Version nicht kennt.</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 has %3 bytes of type %4; %5 values of type f32 are needed.</source>
        <translation>Tensor %2 von %1 hat %3 Byte vom Typ %4; gebraucht werden %5 Werte vom Typ f32.</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 holds a factor that is not above 0.</source>
        <translation>Tensor %2 von %1 enthält einen Faktor, der nicht über 0 liegt.</translation>
    </message>
    <message>
        <source>Expert %2 of %3 in %1 is missing or unlike the first.</source>
        <translation>Experte %2 von %3 in %1 fehlt oder ist anders als der erste.</translation>
    </message>
    <message>
        <source>The experts %2 of %1 are of type %3, which this version does not read.</source>
        <translation>Die Experten %2 von %1 sind vom Typ %3, den diese Version nicht liest.</translation>
    </message>
    <message>
        <source>Tensor %1 is damaged (%2).</source>
        <translation>Tensor %1 ist beschädigt (%2).</translation>
    </message>
    <message>
        <source>The quantized matrix %1 is damaged or of an unknown kind (%2).</source>
        <translation>Die quantisierte Matrix %1 ist beschädigt oder von unbekannter Art (%2).</translation>
    </message>
    <message>
        <source>The tokenizer of %1 has a part that this version does not know (%2).</source>
        <translation>Der Tokenizer von %1 hat einen Teil, den diese Version nicht kennt (%2).</translation>
    </message>
    <message>
        <source>The text has %1 bytes; at most %3 can be cut into tokens.</source>
        <translation>Der Text hat %1 Byte; in Token zerlegen lassen sich höchstens %3.</translation>
    </message>
    <message>
        <source>The text of %1 bytes could not be cut into words: %2.</source>
        <translation>Der Text von %1 Byte ließ sich nicht in Wörter zerlegen: %2.</translation>
    </message>
    <message>
        <source>The pattern %1 that cuts text into words is faulty at byte %3: %2.</source>
        <translation>Das Muster %1, das Text in Wörter zerlegt, ist bei Byte %3 fehlerhaft: %2.</translation>
    </message>
    <message>
        <source>No memory was left for cutting the text into words.</source>
        <translation>Zum Zerlegen des Textes in Wörter war kein Speicher mehr da.</translation>
    </message>
    <message>
        <source>The system does not tell how much memory is free.</source>
        <translation>Das System sagt nicht, wie viel Speicher frei ist.</translation>
    </message>
    <message>
        <source>Weights cannot be quantized to &quot;%1&quot; while loading.</source>
        <translation>Gewichte lassen sich beim Laden nicht zu „%1“ quantisieren.</translation>
    </message>
    <message>
        <source>Weights cannot be quantized to %1.</source>
        <translation>Gewichte lassen sich nicht zu %1 quantisieren.</translation>
    </message>
    <message>
        <source>A row of %1 weights is no multiple of the %2 in a block of %3.</source>
        <translation>Eine Zeile von %1 Gewichten ist kein Vielfaches der %2 in einem Block von %3.</translation>
    </message>
    <message>
        <source>A weight is %2; %3 holds finite values up to %4.</source>
        <translation>Ein Gewicht ist %2; %3 fasst endliche Werte bis %4.</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 has type number %3, which cannot be read.</source>
        <translation>Tensor %2 von %1 hat die Typnummer %3, die sich nicht lesen lässt.</translation>
    </message>
    <message>
        <source>The importance matrix %1 is damaged (%2).</source>
        <translation>Die Wichtigkeitsmatrix %1 ist beschädigt (%2).</translation>
    </message>
    <message>
        <source>The importance matrix %1 has %2 values for %3; %4 are needed.</source>
        <translation>Die Wichtigkeitsmatrix %1 hat %2 Werte für %3; gebraucht werden %4.</translation>
    </message>
    <message>
        <source>The importance matrix %1 names no tensor of %2.</source>
        <translation>Die Wichtigkeitsmatrix %1 nennt keinen Tensor von %2.</translation>
    </message>
    <message>
        <source>The products of %1 inputs of the calibration text are not positive definite.</source>
        <translation>Die Produkte von %1 Eingaben aus dem Kalibrierungstext sind nicht positiv definit.</translation>
    </message>
    <message>
        <source>Tensor %1 had no input in the calibration text.</source>
        <translation>Tensor %1 bekam im Kalibrierungstext keine Eingabe.</translation>
    </message>
    <message>
        <source>Groups of %1 weights do not divide every row of %2.</source>
        <translation>Gruppen von %1 Gewichten teilen nicht jede Zeile von %2.</translation>
    </message>
    <message>
        <source>AWQ&apos;s factors have no known place in the architecture %2 of %1.</source>
        <translation>Die Faktoren von AWQ haben in der Architektur %2 von %1 keinen bekannten Platz.</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 has no place in a folder of quantized weights.</source>
        <translation>Tensor %2 von %1 hat in einem Ordner mit quantisierten Gewichten keinen Platz.</translation>
    </message>
    <message>
        <source>Tensor &quot;%2&quot; cannot be written to %1: %3.</source>
        <translation>Tensor „%2“ lässt sich nicht in %1 schreiben: %3.</translation>
    </message>
    <message>
        <source>%1 uses %2, which has no place in a config.json.</source>
        <translation>%1 benutzt %2, wofür eine config.json keinen Platz hat.</translation>
    </message>
    <message>
        <source>%1 rotates by factors that are not Llama 3&apos;s, which have no place in a config.json.</source>
        <translation>%1 dreht um Faktoren, die nicht die von Llama 3 sind; dafür hat eine config.json keinen Platz.</translation>
    </message>
    <message>
        <source>From %1 no folder of safetensors can be written: its architecture is &quot;%2&quot;.</source>
        <translation>Aus %1 lässt sich kein Ordner mit safetensors schreiben: Die Architektur ist „%2“.</translation>
    </message>
    <message>
        <source>From %1 no folder of safetensors can be written: its architecture is &quot;%2&quot; with experts.</source>
        <translation>Aus %1 lässt sich kein Ordner mit safetensors schreiben: Die Architektur ist „%2“ mit Experten.</translation>
    </message>
    <message>
        <source>The tokenizer of %1 is of the kind &quot;%2&quot;, which cannot be written as tokenizer.json.</source>
        <translation>Der Tokenizer von %1 ist von der Art „%2“, die sich nicht als tokenizer.json schreiben lässt.</translation>
    </message>
    <message>
        <source>%1 is there already.</source>
        <translation>%1 gibt es bereits.</translation>
    </message>
    <message>
        <source>Leave it out.</source>
        <translation>Lassen Sie sie weg.</translation>
    </message>
    <message>
        <source>Choose a text, a few pages of what the model will be asked.</source>
        <translation>Wählen Sie einen Text, einige Seiten von dem, was das Modell gefragt wird.</translation>
    </message>
    <message>
        <source>Choose the method %1.</source>
        <translation>Wählen Sie das Verfahren %1.</translation>
    </message>
    <message>
        <source>Choose the method %1, or a type that %2 writes: %3.</source>
        <translation>Wählen Sie das Verfahren %1, oder einen Typ, den %2 schreibt: %3.</translation>
    </message>
    <message>
        <source>Both models are as they were.</source>
        <translation>Beide Modelle sind, wie sie waren.</translation>
    </message>
    <message>
        <source>Compare models with vocabularies.</source>
        <translation>Vergleichen Sie Modelle mit Vokabular.</translation>
    </message>
    <message>
        <source>Choose full, no_kv_cache, dense_kv, static_batching, no_prefix_cache, no_chunked_prefill, no_weight_quant, no_kv_quant, no_speculation, no_cuda_graph or no_fused_kernels.</source>
        <translation>Wählen Sie full, no_kv_cache, dense_kv, static_batching, no_prefix_cache, no_chunked_prefill, no_weight_quant, no_kv_quant, no_speculation, no_cuda_graph oder no_fused_kernels.</translation>
    </message>
    <message>
        <source>The option %1 means nothing for %2 by the method %3.</source>
        <translation>Die Option %1 bedeutet für %2 nach dem Verfahren %3 nichts.</translation>
    </message>
    <message>
        <source>The method %1 needs a text to see the model at work.</source>
        <translation>Das Verfahren %1 braucht einen Text, um das Modell bei der Arbeit zu sehen.</translation>
    </message>
    <message>
        <source>The method &quot;%2&quot; does not write %1.</source>
        <translation>Das Verfahren „%2“ schreibt nicht %1.</translation>
    </message>
    <message>
        <source>The comparison was stopped.</source>
        <translation>Der Vergleich wurde angehalten.</translation>
    </message>
    <message>
        <source>%1 has no tokenizer to read the text with.</source>
        <translation>%1 hat keinen Tokenizer, mit dem sich der Text lesen ließe.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no row of the ablation.</source>
        <translation>„%1“ ist keine Zeile der Ablation.</translation>
    </message>
    <message>
        <source>Send plain text, or choose a chat model.</source>
        <translation>Senden Sie reinen Text, oder wählen Sie ein Chatmodell.</translation>
    </message>
    <message>
        <source>Use numbers of this model&apos;s tokenizer.</source>
        <translation>Benutzen Sie Nummern des Tokenizers dieses Modells.</translation>
    </message>
    <message>
        <source>Send fewer.</source>
        <translation>Senden Sie weniger.</translation>
    </message>
    <message>
        <source>Change or remove it.</source>
        <translation>Ändern oder entfernen Sie ihn.</translation>
    </message>
    <message>
        <source>Leave the number out for no limit.</source>
        <translation>Lassen Sie die Zahl weg, dann gibt es keine Grenze.</translation>
    </message>
    <message>
        <source>Choose 1 for the mean.</source>
        <translation>Wählen Sie 1 für den Mittelwert.</translation>
    </message>
    <message>
        <source>Leave them out, or do not search by beams.</source>
        <translation>Lassen Sie sie weg, oder verzichten Sie auf die Strahlsuche.</translation>
    </message>
    <message>
        <source>Ask for fewer choices.</source>
        <translation>Verlangen Sie weniger Antworten.</translation>
    </message>
    <message>
        <source>Ask for fewer.</source>
        <translation>Verlangen Sie weniger.</translation>
    </message>
    <message>
        <source>Load the model on the CPU.</source>
        <translation>Laden Sie das Modell auf der CPU.</translation>
    </message>
    <message>
        <source>This file has no chat template: it goes on with a text and does not chat.</source>
        <translation>Diese Datei hat keine Chatvorlage: Sie setzt einen Text fort und führt kein Gespräch.</translation>
    </message>
    <message>
        <source>The chat template of this file cannot be used: %1.</source>
        <translation>Die Chatvorlage dieser Datei ist nicht zu gebrauchen: %1.</translation>
    </message>
    <message>
        <source>This file has no vocabulary.</source>
        <translation>Diese Datei hat kein Vokabular.</translation>
    </message>
    <message>
        <source>Token number %2 is outside the vocabulary of %3 tokens.</source>
        <translation>Die Tokennummer %2 liegt außerhalb des Vokabulars von %3 Token.</translation>
    </message>
    <message>
        <source>%1 stop strings are asked for; at most %2 are taken.</source>
        <translation>Verlangt sind %1 Stopptexte; genommen werden höchstens %2.</translation>
    </message>
    <message>
        <source>A stop string has %1 bytes; 1 to %2 are possible.</source>
        <translation>Ein Stopptext hat %1 Byte; möglich sind 1 bis %2.</translation>
    </message>
    <message>
        <source>The most (%1) and the least number of tokens (%2) must not be negative.</source>
        <translation>Höchst- (%1) und Mindestzahl der Token (%2) dürfen nicht negativ sein.</translation>
    </message>
    <message>
        <source>%1 beams are asked for; %2, the number of choices, to %3 is possible.</source>
        <translation>Verlangt sind %1 Strahlen; möglich ist %2, die Zahl der Antworten, bis %3.</translation>
    </message>
    <message>
        <source>Beam search takes no penalties, token biases, least number of tokens, best_of, echo or grammar.</source>
        <translation>Die Strahlsuche nimmt keine Abzüge, Token-Gewichte, Mindestzahl der Token, best_of, echo oder Grammatik.</translation>
    </message>
    <message>
        <source>%1 choices of %2 are asked for; 1 to %3 is possible.</source>
        <translation>Verlangt sind %1 Antworten aus %2; möglich ist 1 bis %3.</translation>
    </message>
    <message>
        <source>%1 log probabilities are asked for; at most %2 are given.</source>
        <translation>Verlangt sind %1 Log-Wahrscheinlichkeiten; gegeben werden höchstens %2.</translation>
    </message>
    <message>
        <source>The model gave no further beam.</source>
        <translation>Das Modell gab keinen weiteren Strahl.</translation>
    </message>
    <message>
        <source>This device does not give the hidden states that embeddings are made of.</source>
        <translation>Dieses Gerät gibt die verborgenen Zustände nicht her, aus denen Einbettungen entstehen.</translation>
    </message>
</context>
<context>
    <name>ExperimentView</name>
    <message>
        <source>%1 of %2 guesses right.</source>
        <translation>%1 von %2 Vermutungen richtig.</translation>
    </message>
    <message>
        <source>%1, without a model.</source>
        <translation>%1, ohne Modell.</translation>
    </message>
    <message>
        <source>%1, %2 on %3.</source>
        <translation>%1, %2 auf %3.</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messgröße</translation>
    </message>
    <message>
        <source>Your guess</source>
        <translation>Vermutung</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>guess right: %1</source>
        <translation>Vermutung richtig: %1</translation>
    </message>
    <message>
        <source>guess wrong: %1</source>
        <translation>Vermutung falsch: %1</translation>
    </message>
    <message>
        <source>Your guess first</source>
        <translation>Zuerst die eigene Vermutung</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Skip the guesses</source>
        <translation>Ohne Vermutungen</translation>
    </message>
    <message>
        <source>Progress of the experiment</source>
        <translation>Fortschritt des Experiments</translation>
    </message>
    <message numerus="yes">
        <source>%n guess(es) to go</source>
        <translation>
            <numerusform>noch %n Vermutung</numerusform>
            <numerusform>noch %n Vermutungen</numerusform>
        </translation>
    </message>
    <message>
        <source>“%1” is no number from 0 to %2. Correct it, or skip the guesses.</source>
        <translation>„%1“ ist keine Zahl von 0 bis %2. Berichtigen Sie sie, oder fahren Sie ohne Vermutungen fort.</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in chat</source>
        <translation>Im Chat suchen</translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation>Voriger Treffer</translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation>Nächster Treffer</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>nicht gefunden</translation>
    </message>
</context>
<context>
    <name>FirstState</name>
    <message>
        <source>Ask something. It stays on this machine.</source>
        <translation>Fragen Sie etwas. Es bleibt auf diesem Rechner.</translation>
    </message>
    <message>
        <source>Ask something. It goes to %1.</source>
        <translation>Fragen Sie etwas. Es geht an %1.</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>Looking for devices</source>
        <translation>Geräte werden gesucht</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Erneut prüfen</translation>
    </message>
    <message>
        <source>Open file…</source>
        <translation>Datei öffnen …</translation>
    </message>
    <message>
        <source>All models…</source>
        <translation>Alle Modelle …</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>Versuchen Sie</translation>
    </message>
    <message>
        <source>Explain how a heat pump works, in five sentences</source>
        <translation>Erkläre in fünf Sätzen, wie eine Wärmepumpe arbeitet</translation>
    </message>
    <message>
        <source>Rewrite a blunt reply so that it sounds friendly</source>
        <translation>Formuliere eine schroffe Antwort so um, dass sie freundlich klingt</translation>
    </message>
    <message>
        <source>Write a shell one-liner that finds the ten largest files</source>
        <translation>Schreibe einen Shell-Einzeiler, der die zehn größten Dateien findet</translation>
    </message>
    <message>
        <source>No GPU is used. %1.</source>
        <translation>Keine GPU wird benutzt. %1.</translation>
    </message>
    <message>
        <source>No usable device was found.</source>
        <translation>Kein brauchbares Gerät gefunden.</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 Thread</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 Threads</translation>
    </message>
    <message>
        <source>%1 · %2 of %3 free</source>
        <translation>%1 · %2 von %3 frei</translation>
    </message>
    <message>
        <source>No model was found on this computer. A small one, 100 MB to 2 GB, is enough to begin.</source>
        <translation>Auf diesem Rechner wurde kein Modell gefunden. Für den Anfang genügt ein kleines, 100 MB bis 2 GB.</translation>
    </message>
    <message>
        <source>Get a model</source>
        <translation>Modell holen</translation>
    </message>
</context>
<context>
    <name>FitBar</name>
    <message>
        <source>Memory fit</source>
        <translation>Speicherbedarf</translation>
    </message>
    <message>
        <source>Fits, %1 to spare</source>
        <translation>Passt, %1 übrig</translation>
    </message>
    <message>
        <source>%1 over</source>
        <translation>%1 zu viel</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>Andere Programme</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV-Cache</translation>
    </message>
    <message>
        <source>Scratch</source>
        <translation>Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Margin 10 %</source>
        <translation>Reserve 10 %</translation>
    </message>
</context>
<context>
    <name>HubClient</name>
    <message>
        <source>The search</source>
        <translation>Die Suche</translation>
    </message>
    <message>
        <source>%1 gave no list of models.</source>
        <translation>%1 hat keine Modellliste geliefert.</translation>
    </message>
    <message>
        <source>Try again in a minute.</source>
        <translation>Versuchen Sie es in einer Minute erneut.</translation>
    </message>
    <message>
        <source>%1 cannot be reached: %2.</source>
        <translation>%1 ist nicht erreichbar: %2.</translation>
    </message>
    <message>
        <source>Check the connection and try again. The models on this computer go on working.</source>
        <translation>Prüfen Sie die Verbindung und versuchen Sie es erneut. Die Modelle auf diesem Rechner arbeiten weiter.</translation>
    </message>
    <message>
        <source>%1 is not open to everybody (HTTP %2).</source>
        <translation>%1 ist nicht für alle offen (HTTP %2).</translation>
    </message>
    <message>
        <source>Accept its terms on %1 and download the file there.</source>
        <translation>Nehmen Sie auf %1 die Bedingungen an und laden Sie die Datei dort.</translation>
    </message>
    <message>
        <source>%1 was not found (HTTP 404).</source>
        <translation>%1 wurde nicht gefunden (HTTP 404).</translation>
    </message>
    <message>
        <source>Search for it again.</source>
        <translation>Suchen Sie noch einmal danach.</translation>
    </message>
    <message>
        <source>%1 asks for a pause (HTTP 429).</source>
        <translation>%1 bittet um eine Pause (HTTP 429).</translation>
    </message>
    <message>
        <source>Try again in a few minutes.</source>
        <translation>Versuchen Sie es in einigen Minuten erneut.</translation>
    </message>
    <message>
        <source>%1 answered with HTTP %2.</source>
        <translation>%1 hat mit HTTP %2 geantwortet.</translation>
    </message>
</context>
<context>
    <name>HubPanel</name>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Get a model</source>
        <translation>Modell holen</translation>
    </message>
    <message>
        <source>Back to the details</source>
        <translation>Zurück zu den Details</translation>
    </message>
    <message>
        <source>Name of a model, for example qwen3 0.6b</source>
        <translation>Name eines Modells, zum Beispiel qwen3 0.6b</translation>
    </message>
    <message>
        <source>Search the Hugging Face Hub</source>
        <translation>Hugging Face Hub durchsuchen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Searches %1 for GGUF files. Nothing is sent before you press Enter.</source>
        <translation>Sucht auf %1 nach GGUF-Dateien. Vor der Eingabetaste wird nichts gesendet.</translation>
    </message>
    <message>
        <source>Repositories</source>
        <translation>Verzeichnisse</translation>
    </message>
    <message>
        <source>Repository</source>
        <translation>Verzeichnis</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>Downloads</translation>
    </message>
    <message>
        <source>Updated</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Memory here</source>
        <translation>Speicher hier</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>%1 disk left</source>
        <translation>%1 Platz auf der Platte</translation>
    </message>
    <message>
        <source>Asking %1…</source>
        <translation>%1 wird gefragt …</translation>
    </message>
    <message>
        <source>%1 (asks for a login)</source>
        <translation>%1 (verlangt eine Anmeldung)</translation>
    </message>
    <message>
        <source>Nothing with GGUF files is called “%1” on %2.</source>
        <translation>Auf %2 heißt nichts mit GGUF-Dateien „%1“.</translation>
    </message>
    <message>
        <source>%1 has no GGUF file</source>
        <translation>%1 hat keine GGUF-Datei</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>passt</translation>
    </message>
    <message>
        <source>%1 over</source>
        <translation>%1 zu viel</translation>
    </message>
</context>
<context>
    <name>KernelTableModel</name>
    <message>
        <source>fused</source>
        <translation>verschmolzen</translation>
    </message>
    <message>
        <source>decomposed</source>
        <translation>zerlegt</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>Operation</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Times a step</source>
        <translation>Mal je Schritt</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Why not fused</source>
        <translation>Warum nicht verschmolzen</translation>
    </message>
</context>
<context>
    <name>Lab</name>
    <message>
        <source>Lab: capacity</source>
        <translation>Labor: Kapazität</translation>
    </message>
    <message>
        <source>Capacity planner</source>
        <translation>Kapazitätsplaner</translation>
    </message>
    <message>
        <source>Weights, the KV cache of every request, scratch and a tenth for safety against the memory there is: how many requests fit at once? A decode step must read all weights and every KV once, so the memory&apos;s bandwidth bounds the tokens a second. With a model loaded, a short run at 1, 2, 4 and 8 requests checks the expectation.</source>
        <translation>Gewichte, der KV-Cache jeder Anfrage, Arbeitsspeicher und ein Zehntel Reserve gegen den vorhandenen Speicher: Wie viele Anfragen passen zugleich? Ein Schritt beim Erzeugen muss alle Gewichte und jedes KV einmal lesen, deshalb begrenzt die Speicherbandbreite die Token je Sekunde. Ist ein Modell geladen, prüft ein kurzer Lauf mit 1, 2, 4 und 8 Anfragen die Erwartung.</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>KV of a token</source>
        <translation>KV eines Tokens</translation>
    </message>
    <message>
        <source>Context of a request</source>
        <translation>Kontext einer Anfrage</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Requests at once</source>
        <translation>Anfragen zugleich</translation>
    </message>
    <message>
        <source>Scratch</source>
        <translation>Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Bandwidth, 0: from the run</source>
        <translation>Bandbreite, 0: aus dem Lauf</translation>
    </message>
    <message>
        <source>How many requests of this context fit at once?</source>
        <translation>Wie viele Anfragen mit diesem Kontext passen zugleich?</translation>
    </message>
    <message>
        <source>requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <source>Tokens a second with 8 requests, against one?</source>
        <translation>Token je Sekunde mit 8 Anfragen gegenüber einer?</translation>
    </message>
    <message>
        <source>times</source>
        <translation>mal</translation>
    </message>
    <message>
        <source>KV of all requests</source>
        <translation>KV aller Anfragen</translation>
    </message>
    <message>
        <source>Margin, 10 %</source>
        <translation>Reserve, 10 %</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>Zusammen</translation>
    </message>
    <message>
        <source>Requests that fit</source>
        <translation>Anfragen, die passen</translation>
    </message>
    <message>
        <source>of %1 tokens each</source>
        <translation>zu je %1 Token</translation>
    </message>
    <message>
        <source>the %1 asked for fit</source>
        <translation>die verlangten %1 passen</translation>
    </message>
    <message>
        <source>%1 too much for the %2 asked for</source>
        <translation>%1 zu viel für die verlangten %2</translation>
    </message>
    <message>
        <source>Blocks of a pool of 90 %</source>
        <translation>Blöcke eines Vorrats von 90 %</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>Planned</source>
        <translation>Geplant</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>Tokens a second against requests at once</source>
        <translation>Token je Sekunde gegen gleichzeitige Anfragen</translation>
    </message>
    <message>
        <source>requests in the batch</source>
        <translation>Anfragen im Batch</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>Tok/s</translation>
    </message>
    <message>
        <source>roofline: bandwidth / bytes read</source>
        <translation>Roofline: Bandbreite / gelesene Bytes</translation>
    </message>
    <message>
        <source>8 requests against one</source>
        <translation>8 Anfragen gegenüber einer</translation>
    </message>
    <message>
        <source>%1 of %2 are taken; %3 requests of %4 tokens would fit.</source>
        <translation>%1 von %2 sind belegt; %3 Anfragen zu %4 Token würden passen.</translation>
    </message>
    <message>
        <source>It does not fit: %1 of %2. At most %3 requests of %4 tokens do.</source>
        <translation>Es passt nicht: %1 von %2. Höchstens %3 Anfragen zu %4 Token passen.</translation>
    </message>
    <message>
        <source>No model is loaded, so the curve is the bound alone; nothing checks it.</source>
        <translation>Es ist kein Modell geladen, deshalb zeigt die Kurve nur die Grenze; nichts prüft sie.</translation>
    </message>
    <message>
        <source>The bound takes the bandwidth from one request&apos;s speed unless one is given; computing, not reading, keeps larger batches below it.</source>
        <translation>Die Grenze nimmt die Bandbreite aus dem Tempo einer Anfrage, wenn keine angegeben ist; das Rechnen, nicht das Lesen, hält größere Batches darunter.</translation>
    </message>
    <message>
        <source>better</source>
        <translation>besser</translation>
    </message>
    <message>
        <source>same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>worse</source>
        <translation>schlechter</translation>
    </message>
    <message>
        <source>%1, %2 times</source>
        <translation>%1, Faktor %2</translation>
    </message>
    <message>
        <source>within 25 %</source>
        <translation>innerhalb von 25 %</translation>
    </message>
    <message>
        <source>guessed too high</source>
        <translation>zu hoch vermutet</translation>
    </message>
    <message>
        <source>guessed too low</source>
        <translation>zu niedrig vermutet</translation>
    </message>
    <message>
        <source>Lab: KV cache</source>
        <translation>Labor: KV-Cache</translation>
    </message>
    <message>
        <source>KV cache on and off</source>
        <translation>KV-Cache ein und aus</translation>
    </message>
    <message>
        <source>With the KV cache a new token computes one row and reads the keys and values of all before it. Without it, the whole sequence is computed again for every token; here this is really done, as a request of that length without reuse that makes one token. How does the cost of a token grow with the length?</source>
        <translation>Mit dem KV-Cache berechnet ein neues Token eine Zeile und liest die Schlüssel und Werte aller vorigen. Ohne ihn wird für jedes Token die ganze Sequenz neu berechnet; hier geschieht das wirklich, als Anfrage dieser Länge ohne Wiederverwendung, die ein Token erzeugt. Wie wachsen die Kosten eines Tokens mit der Länge?</translation>
    </message>
    <message>
        <source>Longest sequence</source>
        <translation>Längste Sequenz</translation>
    </message>
    <message>
        <source>Without the cache the cost of a token …</source>
        <translation>Ohne den Cache: die Kosten eines Tokens …</translation>
    </message>
    <message>
        <source>stays</source>
        <translation>bleiben gleich</translation>
    </message>
    <message>
        <source>grows with the length</source>
        <translation>wachsen mit der Länge</translation>
    </message>
    <message>
        <source>falls</source>
        <translation>sinken</translation>
    </message>
    <message>
        <source>With the cache it …</source>
        <translation>Mit dem Cache: sie …</translation>
    </message>
    <message>
        <source>At the longest, how many times cheaper is it with the cache?</source>
        <translation>Wievielmal billiger ist ein Token mit dem Cache bei größter Länge?</translation>
    </message>
    <message>
        <source>No model is loaded. Load one, then run the experiment.</source>
        <translation>Es ist kein Modell geladen. Laden Sie eines und führen Sie dann das Experiment aus.</translation>
    </message>
    <message>
        <source>with the KV cache</source>
        <translation>mit dem KV-Cache</translation>
    </message>
    <message>
        <source>without</source>
        <translation>ohne</translation>
    </message>
    <message>
        <source>With</source>
        <translation>Mit</translation>
    </message>
    <message>
        <source>Without</source>
        <translation>Ohne</translation>
    </message>
    <message>
        <source>Cost of a token</source>
        <translation>Kosten eines Tokens</translation>
    </message>
    <message>
        <source>Without the cache</source>
        <translation>Ohne den Cache</translation>
    </message>
    <message>
        <source>With the cache</source>
        <translation>Mit dem Cache</translation>
    </message>
    <message>
        <source>Cost of the next token against the length of the sequence</source>
        <translation>Kosten des nächsten Tokens gegen die Länge der Sequenz</translation>
    </message>
    <message>
        <source>tokens before it</source>
        <translation>Token davor</translation>
    </message>
    <message>
        <source>At %1 tokens a token costs %2 ms with the cache and %3 ms without: %4 times. A whole sequence of that length: about %5 against %6.</source>
        <translation>Bei %1 Token kostet ein Token %2 ms mit dem Cache und %3 ms ohne: Faktor %4. Eine ganze Sequenz dieser Länge: etwa %5 gegen %6.</translation>
    </message>
    <message>
        <source>With: median of %1 decode steps of one sequence. Without: the better of two runs, from the first planned step to the token.</source>
        <translation>Mit: Median von %1 Erzeugungsschritten einer Sequenz. Ohne: der bessere von zwei Läufen, vom ersten geplanten Schritt bis zum Token.</translation>
    </message>
    <message>
        <source>Paging</source>
        <translation>Paging</translation>
    </message>
    <message>
        <source>A dense KV cache reserves the whole context for each request when it is admitted. A paged one gives it blocks as it grows. For the same requests and the same memory: how much is reserved, used and wasted, and how many fit?</source>
        <translation>Ein dichter KV-Cache reserviert jeder Anfrage bei der Aufnahme den ganzen Kontext. Einer mit Paging gibt ihr Blöcke, während sie wächst. Bei denselben Anfragen und demselben Speicher: Wie viel wird reserviert, benutzt und verschwendet, und wie viele passen?</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <source>Made from the values below</source>
        <translation>Aus den Werten unten</translation>
    </message>
    <message>
        <source>This session</source>
        <translation>Diese Sitzung</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Prompt, mean</source>
        <translation>Prompt, Mittel</translation>
    </message>
    <message>
        <source>Answer, mean</source>
        <translation>Antwort, Mittel</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>Memory for KV</source>
        <translation>Speicher für KV</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>How much of the dense reservation is wasted?</source>
        <translation>Wie viel der dichten Reservierung wird verschwendet?</translation>
    </message>
    <message>
        <source>How many times more requests fit with blocks?</source>
        <translation>Wievielmal so viele Anfragen passen mit Blöcken?</translation>
    </message>
    <message>
        <source>Dense</source>
        <translation>Dicht</translation>
    </message>
    <message>
        <source>Paged</source>
        <translation>Paging</translation>
    </message>
    <message>
        <source>Reserved</source>
        <translation>Reserviert</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>Benutzt</translation>
    </message>
    <message>
        <source>Wasted</source>
        <translation>Verschwendet</translation>
    </message>
    <message>
        <source>of %1 at once</source>
        <translation>von %1 zugleich</translation>
    </message>
    <message>
        <source>KV memory for %1 requests</source>
        <translation>KV-Speicher für %1 Anfragen</translation>
    </message>
    <message>
        <source>Wasted share of what is reserved, against the block size</source>
        <translation>Verschwendeter Anteil des Reservierten gegen die Blockgröße</translation>
    </message>
    <message>
        <source>tokens of a block</source>
        <translation>Token eines Blocks</translation>
    </message>
    <message>
        <source>With blocks of %1 tokens %2 requests fit where %3 dense places do; %4 instead of %5 is wasted.</source>
        <translation>Mit Blöcken zu %1 Token passen %2 Anfragen, wo dicht %3 passen; verschwendet wird %4 statt %5.</translation>
    </message>
    <message>
        <source>Computed: every request counted at its final length, first come, first served. A request longer than the context fits in neither.</source>
        <translation>Berechnet: jede Anfrage zählt mit ihrer endgültigen Länge, in der Reihenfolge der Ankunft. Eine Anfrage, die länger als der Kontext ist, passt in keinen der beiden.</translation>
    </message>
    <message>
        <source>Immediate</source>
        <translation>Sofort</translation>
    </message>
    <message>
        <source>Static</source>
        <translation>Statisch</translation>
    </message>
    <message>
        <source>Continuous</source>
        <translation>Fortlaufend</translation>
    </message>
    <message>
        <source>Bar: arrival · grey: queued · blue: prompt tokens read · green: one token a tick · hatched: padding · box: end, time in the system</source>
        <translation>Strich: Ankunft · grau: wartend · blau: gelesene Prompt-Token · grün: ein Token je Takt · schraffiert: Füllung · Kasten: Ende, Zeit im System</translation>
    </message>
    <message>
        <source>seconds since the first arrival</source>
        <translation>Sekunden seit der ersten Ankunft</translation>
    </message>
    <message>
        <source>Requests waiting for their first prompt token to be read</source>
        <translation>Anfragen, deren erstes Prompt-Token noch nicht gelesen ist</translation>
    </message>
    <message>
        <source>Batching policies</source>
        <translation>Batch-Strategien</translation>
    </message>
    <message>
        <source>The same requests, served one at a time, in fixed batches, and in a batch that changes every step. Admission and release are the code the engine runs; only the clock is made of equal ticks. What does continuous batching change against immediate serving?</source>
        <translation>Dieselben Anfragen, einzeln bedient, in festen Batches und in einem Batch, der sich mit jedem Schritt ändert. Aufnahme und Freigabe sind der Code, den die Engine ausführt; nur die Uhr besteht aus gleichen Takten. Was ändert fortlaufendes Batching gegenüber sofortigem Bedienen?</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>Trace</translation>
    </message>
    <message>
        <source>Toy trace, 4 requests</source>
        <translation>Beispiel-Trace, 4 Anfragen</translation>
    </message>
    <message>
        <source>Arrivals</source>
        <translation>Ankünfte</translation>
    </message>
    <message>
        <source>a second</source>
        <translation>je Sekunde</translation>
    </message>
    <message>
        <source>Places</source>
        <translation>Plätze</translation>
    </message>
    <message>
        <source>Prompt tokens a tick</source>
        <translation>Prompt-Token je Takt</translation>
    </message>
    <message>
        <source>Objective: first token</source>
        <translation>Ziel: erstes Token</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>Objective: a token</source>
        <translation>Ziel: je Token</translation>
    </message>
    <message>
        <source>Window, 0: to the end</source>
        <translation>Zeitraum, 0: bis zum Ende</translation>
    </message>
    <message>
        <source>First token (TTFT p50)</source>
        <translation>Erstes Token (TTFT p50)</translation>
    </message>
    <message>
        <source>Time per token (TPOT p50)</source>
        <translation>Zeit je Token (TPOT p50)</translation>
    </message>
    <message>
        <source>Time in system (E2E p50)</source>
        <translation>Zeit im System (E2E p50)</translation>
    </message>
    <message>
        <source>Goodput</source>
        <translation>Goodput</translation>
    </message>
    <message>
        <source>KV peak</source>
        <translation>KV-Spitze</translation>
    </message>
    <message>
        <source>Places in use</source>
        <translation>Belegte Plätze</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>Erstes Token</translation>
    </message>
    <message>
        <source>Time per token</source>
        <translation>Zeit je Token</translation>
    </message>
    <message>
        <source>Time in system</source>
        <translation>Zeit im System</translation>
    </message>
    <message>
        <source>met both objectives</source>
        <translation>beide Ziele erreicht</translation>
    </message>
    <message>
        <source>req/s</source>
        <translation>Anfr./s</translation>
    </message>
    <message>
        <source>decode rows</source>
        <translation>Erzeugungszeilen</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Warteschlange</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>longest</source>
        <translation>längste</translation>
    </message>
    <message>
        <source>Unfinished</source>
        <translation>Unfertig</translation>
    </message>
    <message>
        <source>at the window&apos;s end</source>
        <translation>am Ende des Zeitraums</translation>
    </message>
    <message>
        <source>Little&apos;s law: the mean number in the system is the arrival rate times the mean time in it</source>
        <translation>Gesetz von Little: die mittlere Anzahl im System ist die Ankunftsrate mal der mittleren Zeit darin</translation>
    </message>
    <message>
        <source>Policy</source>
        <translation>Strategie</translation>
    </message>
    <message>
        <source>In the system, counted</source>
        <translation>Im System, gezählt</translation>
    </message>
    <message>
        <source>Arrivals a second</source>
        <translation>Ankünfte je Sekunde</translation>
    </message>
    <message>
        <source>Mean time</source>
        <translation>Mittlere Zeit</translation>
    </message>
    <message>
        <source>Product</source>
        <translation>Produkt</translation>
    </message>
    <message>
        <source>Off by</source>
        <translation>Abweichung</translation>
    </message>
    <message>
        <source>Each request</source>
        <translation>Jede Anfrage</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <source>Arrival</source>
        <translation>Ankunft</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>%1: %2 in the system = %3 arrivals/s × %4 s (continuous).</source>
        <translation>%1: %2 im System = %3 Ankünfte/s × %4 s (fortlaufend).</translation>
    </message>
    <message>
        <source>Little&apos;s law holds</source>
        <translation>Das Gesetz von Little gilt</translation>
    </message>
    <message>
        <source>Little&apos;s law is off by more than 1 %</source>
        <translation>Das Gesetz von Little weicht um mehr als 1 % ab</translation>
    </message>
    <message>
        <source>%1 places, %2 prompt tokens a tick, tick %3. Unfinished requests count as infinite in every percentile.</source>
        <translation>%1 Plätze, %2 Prompt-Token je Takt, Takt %3. Unfertige Anfragen zählen in jedem Perzentil als unendlich.</translation>
    </message>
    <message>
        <source>The chart draws the first %1 requests.</source>
        <translation>Das Diagramm zeichnet die ersten %1 Anfragen.</translation>
    </message>
    <message>
        <source>Prefix cache</source>
        <translation>Präfix-Cache</translation>
    </message>
    <message>
        <source>Five chats in turn on the loaded model: a first one, the same again, another question under the same system prompt, an edited earlier turn, and another system prompt. How many prompt tokens of each are found in the cache, and at which token does a prompt begin to differ?</source>
        <translation>Fünf Chats nacheinander mit dem geladenen Modell: ein erster, derselbe noch einmal, eine andere Frage unter demselben Systemprompt, eine bearbeitete frühere Nachricht und ein anderer Systemprompt. Wie viele Prompt-Token werden jeweils im Cache gefunden, und ab welchem Token unterscheidet sich ein Prompt?</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>tokens, about</source>
        <translation>Token, etwa</translation>
    </message>
    <message>
        <source>Earlier turn</source>
        <translation>Frühere Nachricht</translation>
    </message>
    <message>
        <source>The same chat again: how much is reused?</source>
        <translation>Derselbe Chat noch einmal: wie viel wird wiederverwendet?</translation>
    </message>
    <message>
        <source>Another question, same system prompt?</source>
        <translation>Andere Frage, gleicher Systemprompt?</translation>
    </message>
    <message>
        <source>An edited earlier turn?</source>
        <translation>Eine bearbeitete frühere Nachricht?</translation>
    </message>
    <message>
        <source>Another system prompt?</source>
        <translation>Ein anderer Systemprompt?</translation>
    </message>
    <message>
        <source>The model is loaded without its prefix cache. Load it with the cache on.</source>
        <translation>Das Modell ist ohne Präfix-Cache geladen. Laden Sie es mit eingeschaltetem Cache.</translation>
    </message>
    <message>
        <source>First chat</source>
        <translation>Erster Chat</translation>
    </message>
    <message>
        <source>The same again</source>
        <translation>Noch einmal derselbe</translation>
    </message>
    <message>
        <source>Another question</source>
        <translation>Andere Frage</translation>
    </message>
    <message>
        <source>Edited earlier turn</source>
        <translation>Frühere Nachricht bearbeitet</translation>
    </message>
    <message>
        <source>Another system prompt</source>
        <translation>Anderer Systemprompt</translation>
    </message>
    <message>
        <source>Reused</source>
        <translation>Wiederverwendet</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Where each prompt leaves the first one</source>
        <translation>Wo jeder Prompt vom ersten abweicht</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>First differing token</source>
        <translation>Erstes anderes Token</translation>
    </message>
    <message>
        <source>Was</source>
        <translation>War</translation>
    </message>
    <message>
        <source>Is</source>
        <translation>Ist</translation>
    </message>
    <message>
        <source>Prompt tokens</source>
        <translation>Prompt-Token</translation>
    </message>
    <message>
        <source>reused</source>
        <translation>wiederverwendet</translation>
    </message>
    <message>
        <source>read</source>
        <translation>gelesen</translation>
    </message>
    <message>
        <source>Lab: %1</source>
        <translation>Labor: %1</translation>
    </message>
    <message>
        <source>within 10 points</source>
        <translation>innerhalb von 10 Punkten</translation>
    </message>
    <message>
        <source>end of the prompt</source>
        <translation>Ende des Prompts</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keines</translation>
    </message>
    <message>
        <source>Whole blocks of %1 tokens are found, and the last block of a prompt is always computed: its last token&apos;s logits are needed.</source>
        <translation>Gefunden werden ganze Blöcke zu %1 Token, und der letzte Block eines Prompts wird immer berechnet: die Logits seines letzten Tokens werden gebraucht.</translation>
    </message>
    <message>
        <source>The same chat again: %1 of %2 tokens reused; an edit ends the reuse at the block that holds token %3.</source>
        <translation>Derselbe Chat noch einmal: %1 von %2 Token wiederverwendet; eine Änderung beendet die Wiederverwendung bei dem Block mit Token %3.</translation>
    </message>
    <message>
        <source>As in the file, KV f16</source>
        <translation>Wie in der Datei, KV f16</translation>
    </message>
    <message>
        <source>Weights %1</source>
        <translation>Gewichte %1</translation>
    </message>
    <message>
        <source>KV int8</source>
        <translation>KV int8</translation>
    </message>
    <message>
        <source>KV fp8</source>
        <translation>KV fp8</translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation>Quantisierung</translation>
    </message>
    <message>
        <source>Weights or KV cache in fewer bits: smaller and perhaps faster, at some cost in quality. The same text is scored and the same three prompts are continued with each type. Perplexity says how surprised the model is by the text, the divergence (KL) how far its predictions moved. The model is loaded again for each type and put back at the end.</source>
        <translation>Gewichte oder KV-Cache in weniger Bits: kleiner und vielleicht schneller, mit etwas Verlust an Qualität. Mit jedem Typ wird derselbe Text bewertet und werden dieselben drei Prompts fortgesetzt. Die Perplexität sagt, wie sehr der Text das Modell überrascht, die Divergenz (KL), wie weit sich seine Vorhersagen verschoben haben. Das Modell wird für jeden Typ neu geladen und am Ende wiederhergestellt.</translation>
    </message>
    <message>
        <source>Types</source>
        <translation>Typen</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV-Cache</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>Beide</translation>
    </message>
    <message>
        <source>Text scored</source>
        <translation>Bewerteter Text</translation>
    </message>
    <message>
        <source>4-bit weights (q4_0): perplexity</source>
        <translation>4-Bit-Gewichte (q4_0): Perplexität</translation>
    </message>
    <message>
        <source>4-bit weights: tokens a second</source>
        <translation>4-Bit-Gewichte: Token je Sekunde</translation>
    </message>
    <message>
        <source>int8 KV: perplexity</source>
        <translation>int8-KV: Perplexität</translation>
    </message>
    <message>
        <source>KV a token</source>
        <translation>KV je Token</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>Perplexität</translation>
    </message>
    <message>
        <source>KL</source>
        <translation>KL</translation>
    </message>
    <message>
        <source>Three answers side by side, greedy</source>
        <translation>Drei Antworten nebeneinander, greedy</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>perplexity</source>
        <translation>Perplexität</translation>
    </message>
    <message>
        <source>Speed with q4_0</source>
        <translation>Tempo mit q4_0</translation>
    </message>
    <message>
        <source>The file as it is: perplexity %1 over %2 positions of a made text.</source>
        <translation>Die Datei, wie sie ist: Perplexität %1 über %2 Stellen eines künstlichen Textes.</translation>
    </message>
    <message>
        <source>No type could be run.</source>
        <translation>Kein Typ konnte ausgeführt werden.</translation>
    </message>
    <message>
        <source>KL takes the %1 likeliest tokens of the file&apos;s types one by one and all others together, so it is a lower bound. The text is made of plain repeating sentences: compare types with it, not models. A weight type that the file has already is taken as it is; re-quantizing adds its own error.</source>
        <translation>KL nimmt die %1 wahrscheinlichsten Token der Typen der Datei einzeln und alle anderen zusammen, ist also eine untere Schranke. Der Text besteht aus schlichten, sich wiederholenden Sätzen: mit ihm lassen sich Typen vergleichen, nicht Modelle. Ein Gewichtstyp, den die Datei schon hat, bleibt, wie er ist; erneutes Quantisieren bringt einen eigenen Fehler mit.</translation>
    </message>
    <message>
        <source>Lab: %1 drafts</source>
        <translation>Labor: %1 Entwürfe</translation>
    </message>
    <message>
        <source>Speculation</source>
        <translation>Spekulation</translation>
    </message>
    <message>
        <source>Guessed tokens are verified in one step with the next one. With acceptance α and γ drafts a step is expected to give (1−α^(γ+1))/(1−α) tokens, but every draft costs a row. The same text is continued without drafts and with 1 to 8 of them; where does it stop paying? The model is loaded again for each length and put back at the end.</source>
        <translation>Entwurfs-Token werden im selben Schritt wie das nächste geprüft. Bei Annahme α und γ Entwürfen liefert ein Schritt erwartungsgemäß (1−α^(γ+1))/(1−α) Token, aber jeder Entwurf kostet eine Zeile. Derselbe Text wird ohne Entwürfe und mit 1 bis 8 davon fortgesetzt; ab wo lohnt es sich nicht mehr? Das Modell wird für jede Länge neu geladen und am Ende wiederhergestellt.</translation>
    </message>
    <message>
        <source>n-gram: copies from the text</source>
        <translation>N-Gramm: kopiert aus dem Text</translation>
    </message>
    <message>
        <source>draft model of the loaded model</source>
        <translation>Entwurfsmodell des geladenen Modells</translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation>Entwürfe</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Which number of drafts is fastest?</source>
        <translation>Welche Zahl von Entwürfen ist am schnellsten?</translation>
    </message>
    <message>
        <source>How many times faster than without?</source>
        <translation>Wievielmal so schnell wie ohne?</translation>
    </message>
    <message>
        <source>Drafts accepted in each step of the answer</source>
        <translation>Angenommene Entwürfe in jedem Schritt der Antwort</translation>
    </message>
    <message>
        <source>step of the answer</source>
        <translation>Schritt der Antwort</translation>
    </message>
    <message>
        <source>%1 drafts</source>
        <translation>%1 Entwürfe</translation>
    </message>
    <message>
        <source>α</source>
        <translation>α</translation>
    </message>
    <message>
        <source>Tokens a step</source>
        <translation>Token je Schritt</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>Erwartet</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>(1−α^(γ+1))/(1−α)</source>
        <translation>(1−α^(γ+1))/(1−α)</translation>
    </message>
    <message>
        <source>without drafts</source>
        <translation>ohne Entwürfe</translation>
    </message>
    <message>
        <source>No drafts</source>
        <translation>Keine Entwürfe</translation>
    </message>
    <message>
        <source>Fastest</source>
        <translation>Am schnellsten</translation>
    </message>
    <message>
        <source>Speed-up of the fastest</source>
        <translation>Beschleunigung der schnellsten</translation>
    </message>
    <message>
        <source>Tokens of a step, α = %1 (measured with 4 drafts)</source>
        <translation>Token eines Schritts, α = %1 (gemessen mit 4 Entwürfen)</translation>
    </message>
    <message>
        <source>drafts a step</source>
        <translation>Entwürfe je Schritt</translation>
    </message>
    <message>
        <source>Speed-up against plain decoding</source>
        <translation>Beschleunigung gegenüber Erzeugen ohne Entwürfe</translation>
    </message>
    <message>
        <source>Drafts do not pay here: plain decoding gives %1 tok/s, the best with drafts less.</source>
        <translation>Entwürfe lohnen hier nicht: ohne sie sind es %1 Tok/s, mit ihnen bestenfalls weniger.</translation>
    </message>
    <message>
        <source>α counts judged drafts only: those behind the first rejected one were not judged. The formula takes them as independent and always offered; an n-gram drafter offers none where it finds no match, so measured tokens may lie below.</source>
        <translation>α zählt nur beurteilte Entwürfe: die hinter dem ersten abgelehnten wurden nicht beurteilt. Die Formel nimmt sie als unabhängig und immer angeboten an; N-Gramm bietet keine an, wo es keinen Treffer findet, deshalb können die gemessenen Token darunter liegen.</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>nothing off</source>
        <translation>nichts aus</translation>
    </message>
    <message>
        <source>paged KV</source>
        <translation>KV in Blöcken</translation>
    </message>
    <message>
        <source>continuous batching</source>
        <translation>kontinuierliches Batching</translation>
    </message>
    <message>
        <source>prefix cache</source>
        <translation>Präfix-Cache</translation>
    </message>
    <message>
        <source>chunked prefill</source>
        <translation>Prefill in Stücken</translation>
    </message>
    <message>
        <source>weight quantization</source>
        <translation>Quantisierung der Gewichte</translation>
    </message>
    <message>
        <source>KV quantization</source>
        <translation>Quantisierung des KV</translation>
    </message>
    <message>
        <source>speculation</source>
        <translation>Spekulation</translation>
    </message>
    <message>
        <source>CUDA graphs</source>
        <translation>CUDA-Graphen</translation>
    </message>
    <message>
        <source>fused kernels</source>
        <translation>verschmolzene Kernel</translation>
    </message>
    <message>
        <source>the same tokens</source>
        <translation>dieselben Tokens</translation>
    </message>
    <message>
        <source>OTHER TOKENS</source>
        <translation>ANDERE TOKENS</translation>
    </message>
    <message>
        <source>NLL %1</source>
        <translation>NLL %1</translation>
    </message>
    <message>
        <source>Ablation</source>
        <translation>Ablation</translation>
    </message>
    <message>
        <source>One optimisation after the other is switched off, and each runs the load that shows it best, in turns with an engine that has all of them on. What does each one buy? A ratio counts only where it exceeds what two equal runs differ by. The loaded model gives way meanwhile and comes back.</source>
        <translation>Eine Optimierung nach der anderen wird abgeschaltet, und jede läuft mit der Last, die sie am besten zeigt, abwechselnd mit einer Engine, die alle an hat. Was bringt jede? Ein Verhältnis zählt nur, wo es größer ist als der Unterschied zweier gleicher Läufe. Das geladene Modell weicht solange und kommt zurück.</translation>
    </message>
    <message>
        <source>every one in turn</source>
        <translation>jede der Reihe nach</translation>
    </message>
    <message>
        <source>Switched off</source>
        <translation>Abgeschaltet</translation>
    </message>
    <message>
        <source>Requests of a load</source>
        <translation>Anfragen einer Last</translation>
    </message>
    <message>
        <source>Pairs of runs</source>
        <translation>Paare von Läufen</translation>
    </message>
    <message>
        <source>What costs most when it is off?</source>
        <translation>Was kostet am meisten, wenn es aus ist?</translation>
    </message>
    <message>
        <source>How many times slower is that?</source>
        <translation>Wie viele Male langsamer ist das?</translation>
    </message>
    <message>
        <source>Off, against all on: medians of the runs</source>
        <translation>Aus gegen alles an: Mediane der Läufe</translation>
    </message>
    <message>
        <source>all on</source>
        <translation>alles an</translation>
    </message>
    <message>
        <source>times slower</source>
        <translation>Mal langsamer</translation>
    </message>
    <message>
        <source>chance</source>
        <translation>Zufall</translation>
    </message>
    <message>
        <source>TTFT ms</source>
        <translation>TTFT ms</translation>
    </message>
    <message>
        <source>TPOT ms</source>
        <translation>TPOT ms</translation>
    </message>
    <message>
        <source>ITL p99 ms</source>
        <translation>ITL p99 ms</translation>
    </message>
    <message>
        <source>peak blocks</source>
        <translation>Blöcke höchstens</translation>
    </message>
    <message>
        <source>would fit</source>
        <translation>passten</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>not measured: %1</source>
        <translation>nicht gemessen: %1</translation>
    </message>
    <message>
        <source>Throughput with all on over throughput with one thing off</source>
        <translation>Durchsatz mit allem über Durchsatz ohne eines</translation>
    </message>
    <message>
        <source>times slower when off</source>
        <translation>Mal langsamer, wenn aus</translation>
    </message>
    <message>
        <source>chance alone</source>
        <translation>Zufall allein</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>All on</source>
        <translation>Alles an</translation>
    </message>
    <message>
        <source>no more than chance (%1 times)</source>
        <translation>nicht mehr als Zufall (%1 Mal)</translation>
    </message>
    <message>
        <source>%1 times slower when off</source>
        <translation>%1 Mal langsamer, wenn aus</translation>
    </message>
    <message>
        <source>%1 times faster when off</source>
        <translation>%1 Mal schneller, wenn aus</translation>
    </message>
    <message>
        <source>Costs most when off</source>
        <translation>Kostet am meisten, wenn aus</translation>
    </message>
    <message>
        <source>nothing beyond chance</source>
        <translation>nichts über Zufall</translation>
    </message>
    <message>
        <source>Times slower</source>
        <translation>Mal langsamer</translation>
    </message>
    <message>
        <source>Nothing that was switched off cost more than two equal runs differ by.</source>
        <translation>Nichts Abgeschaltetes kostete mehr, als zwei gleiche Läufe sich unterscheiden.</translation>
    </message>
    <message>
        <source>Without %1 the load runs %2 times slower: %3 instead of %4 tok/s.</source>
        <translation>Ohne %1 läuft die Last %2 Mal langsamer: %3 statt %4 tok/s.</translation>
    </message>
    <message>
        <source>%1: loading</source>
        <translation>%1: lädt</translation>
    </message>
    <message>
        <source>%1: run %2 of %3</source>
        <translation>%1: Lauf %2 von %3</translation>
    </message>
    <message>
        <source>%1 must not change any token, and it did: that is a fault, please report it.</source>
        <translation>%1 darf kein Token ändern und tat es: Das ist ein Fehler, bitte melden.</translation>
    </message>
    <message>
        <source>Recording %1</source>
        <translation>Aufzeichnung %1</translation>
    </message>
    <message>
        <source>%1: there is no request in it.</source>
        <translation>%1: enthält keine Anfrage.</translation>
    </message>
    <message>
        <source>Send some first, or make requests from the values.</source>
        <translation>Senden Sie erst einige, oder bilden Sie Anfragen aus den Werten.</translation>
    </message>
    <message>
        <source>%1: no request in it has a prompt and an answer.</source>
        <translation>%1: keine Anfrage darin hat einen Prompt und eine Antwort.</translation>
    </message>
    <message>
        <source>Send some requests first, or choose another trace.</source>
        <translation>Senden Sie erst einige Anfragen, oder wählen Sie einen anderen Trace.</translation>
    </message>
    <message>
        <source>1 request, prompt %1, answer %2 tokens</source>
        <translation>1 Anfrage, Prompt %1, Antwort %2 Token</translation>
    </message>
    <message>
        <source>%1 requests at once, prompts of 8 to 64, answers of 8 to 48 tokens</source>
        <translation>%1 Anfragen zugleich, Prompts von 8 bis 64, Antworten von 8 bis 48 Token</translation>
    </message>
    <message>
        <source>the same %1 requests, arriving at random every %2 ms</source>
        <translation>dieselben %1 Anfragen, zufällig im Mittel alle %2 ms</translation>
    </message>
    <message>
        <source>%1 requests that share %2 of %3 prompt tokens</source>
        <translation>%1 Anfragen, die %2 von %3 Prompt-Token teilen</translation>
    </message>
    <message>
        <source>%1 requests decode while %2 prompts of %3 tokens arrive</source>
        <translation>%1 Anfragen dekodieren, während %2 Prompts von %3 Token eintreffen</translation>
    </message>
    <message>
        <source>%1 requests whose answer is in the prompt, greedy</source>
        <translation>%1 Anfragen, deren Antwort im Prompt steht, gierig</translation>
    </message>
    <message>
        <source>%1 requests with prompts of %2 tokens</source>
        <translation>%1 Anfragen mit Prompts von %2 Token</translation>
    </message>
    <message>
        <source>Choose a result that the Lab page saved.</source>
        <translation>Wählen Sie ein Ergebnis, das die Laborseite gespeichert hat.</translation>
    </message>
    <message>
        <source>The result is damaged: chart %1 is out of range.</source>
        <translation>Das Ergebnis ist beschädigt: Diagramm %1 liegt außerhalb des Bereichs.</translation>
    </message>
    <message>
        <source>Choose another file, or run the experiment again.</source>
        <translation>Wählen Sie eine andere Datei, oder führen Sie das Experiment noch einmal aus.</translation>
    </message>
    <message>
        <source>No decode step was recorded.</source>
        <translation>Es wurde kein Dekodierschritt aufgezeichnet.</translation>
    </message>
    <message>
        <source>Ask for more tokens.</source>
        <translation>Verlangen Sie mehr Token.</translation>
    </message>
    <message>
        <source>Running %1 requests of %2 tokens</source>
        <translation>%1 Anfragen mit %2 Token laufen</translation>
    </message>
    <message>
        <source>1 draft</source>
        <translation>1 Entwurf</translation>
    </message>
    <message>
        <source>Fastest with %1: %2 tok/s against %3, %4 times; α is %5.</source>
        <translation>Am schnellsten mit %1: %2 Tok/s gegen %3, %4-mal; α ist %5.</translation>
    </message>
    <message>
        <source>1 request whose answer is in the prompt, greedy</source>
        <translation>1 Anfrage, deren Antwort im Prompt steht, gierig</translation>
    </message>
    <message>
        <source>1 request with a prompt of %1 tokens</source>
        <translation>1 Anfrage mit einem Prompt von %1 Token</translation>
    </message>
    <message>
        <source>8 requests never decoded at once here, so what they would give stays open.</source>
        <translation>8 Anfragen haben hier nie gleichzeitig dekodiert; was sie brächten, bleibt offen.</translation>
    </message>
    <message>
        <source>KV bytes a token</source>
        <translation>KV-Byte je Token</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Each pair of values is off / all on. All on means int8 KV and drafts by n-grams; the context is %1 tokens. The same as: %2</source>
        <translation>Jedes Wertepaar ist aus / alles an. Alles an heißt int8-KV und Entwürfe aus n-Grammen; der Kontext hat %1 Tokens. Dasselbe wie: %2</translation>
    </message>
    <message>
        <source>The context holds %1 tokens, and %2 are needed. Load the model with a longer context.</source>
        <translation>Der Kontext fasst %1 Token, und %2 werden gebraucht. Laden Sie das Modell mit einem längeren Kontext.</translation>
    </message>
    <message>
        <source>The file has no field vitrine_experiment of version 1 to %1.</source>
        <translation>Die Datei hat kein Feld vitrine_experiment der Version 1 bis %1.</translation>
    </message>
    <message>
        <source>The result is damaged: a text of it cannot be read.</source>
        <translation>Das Ergebnis ist beschädigt: Ein Text darin ist nicht lesbar.</translation>
    </message>
    <message>
        <source>%1 requests decode while a prompt of %2 tokens arrives</source>
        <translation>%1 Anfragen dekodieren, während ein Prompt von %2 Token eintrifft</translation>
    </message>
</context>
<context>
    <name>LabPage</name>
    <message>
        <source>Lab</source>
        <translation>Labor</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Picture (PNG)…</source>
        <translation>Bild (PNG) …</translation>
    </message>
    <message>
        <source>Table (CSV)…</source>
        <translation>Tabelle (CSV) …</translation>
    </message>
    <message>
        <source>JSON…</source>
        <translation>JSON …</translation>
    </message>
    <message>
        <source>Experiments</source>
        <translation>Experimente</translation>
    </message>
    <message>
        <source>● running: %1</source>
        <translation>● läuft: %1</translation>
    </message>
    <message>
        <source>Another experiment runs: %1. Stop it, or wait for its end.</source>
        <translation>Ein anderes Experiment läuft: %1. Halten Sie es an oder warten Sie sein Ende ab.</translation>
    </message>
    <message>
        <source>%1 requests run or wait now; this experiment loads the model anew and would end them. Wait for their end.</source>
        <translation>Laufende oder wartende Anfragen: %1. Dieses Experiment lädt das Modell neu und würde sie beenden. Warten Sie ihr Ende ab.</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Wird beendet</translation>
    </message>
    <message>
        <source>Save the result</source>
        <translation>Ergebnis speichern</translation>
    </message>
    <message>
        <source>Export the result</source>
        <translation>Ergebnis exportieren</translation>
    </message>
    <message>
        <source>The result was not written</source>
        <translation>Das Ergebnis wurde nicht geschrieben</translation>
    </message>
    <message>
        <source>%1: %2. Choose another folder.</source>
        <translation>%1: %2. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>%1 cannot be read.</source>
        <translation>%1 kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Choose another file.</source>
        <translation>Wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>The file holds the experiment “%1”, which this version does not have.</source>
        <translation>Die Datei enthält das Experiment „%1“, das diese Version nicht hat.</translation>
    </message>
    <message>
        <source>The result was not opened</source>
        <translation>Das Ergebnis wurde nicht geöffnet</translation>
    </message>
    <message>
        <source>Use this session again</source>
        <translation>Wieder diese Sitzung nehmen</translation>
    </message>
    <message>
        <source>requests of %1</source>
        <translation>Anfragen von %1</translation>
    </message>
    <message>
        <source>Open a result or a recording</source>
        <translation>Ergebnis oder Aufzeichnung öffnen</translation>
    </message>
    <message>
        <source>Results and recordings</source>
        <translation>Ergebnisse und Aufzeichnungen</translation>
    </message>
    <message>
        <source>The experiment was stopped; nothing of it is kept.</source>
        <translation>Das Experiment wurde angehalten; nichts davon bleibt erhalten.</translation>
    </message>
    <message>
        <source>Run it again when you like.</source>
        <translation>Starten Sie es neu, wann Sie möchten.</translation>
    </message>
</context>
<context>
    <name>LaneSheet</name>
    <message>
        <source>chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>API</source>
        <translation>API</translation>
    </message>
    <message>
        <source>laboratory</source>
        <translation>Labor</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>Einlesen</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>Erzeugen</translation>
    </message>
    <message>
        <source>verify</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>preempted</source>
        <translation>unterbrochen</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>beendet</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <source>Zoom to it</source>
        <translation>Darauf zoomen</translation>
    </message>
    <message>
        <source>Close the request</source>
        <translation>Anfrage schließen</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>Angenommen</translation>
    </message>
    <message>
        <source>Steps of the request</source>
        <translation>Schritte der Anfrage</translation>
    </message>
    <message>
        <source>Request %1</source>
        <translation>Anfrage %1</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>From the cache</source>
        <translation>Aus dem Cache</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>KV blocks, most</source>
        <translation>KV-Blöcke, Spitze</translation>
    </message>
    <message>
        <source>Waited</source>
        <translation>Gewartet</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>Erstes Token</translation>
    </message>
    <message>
        <source>Time per token</source>
        <translation>Zeit je Token</translation>
    </message>
    <message>
        <source>In the system</source>
        <translation>Im System</translation>
    </message>
    <message>
        <source>Preempted</source>
        <translation>Unterbrochen</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>still running</source>
        <translation>läuft noch</translation>
    </message>
    <message>
        <source>submitted</source>
        <translation>eingereicht</translation>
    </message>
</context>
<context>
    <name>LatestPill</name>
    <message>
        <source>Latest</source>
        <translation>Neueste</translation>
    </message>
    <message>
        <source>Jump to the latest text and follow</source>
        <translation>Zum neuesten Text springen und folgen</translation>
    </message>
    <message>
        <source>Jump to the latest text and follow (End)</source>
        <translation>Zum neuesten Text springen und folgen (Ende)</translation>
    </message>
</context>
<context>
    <name>Links</name>
    <message>
        <source>This link is not opened.</source>
        <translation>Dieser Link wird nicht geöffnet.</translation>
    </message>
    <message>
        <source>%1 is no web address; only http and https lead out of an answer.</source>
        <translation>%1 ist keine Webadresse; aus einer Antwort heraus führen nur http und https.</translation>
    </message>
    <message>
        <source>Open this page in the browser?</source>
        <translation>Diese Seite im Browser öffnen?</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
</context>
<context>
    <name>LoadProgress</name>
    <message>
        <source>Load progress</source>
        <translation>Ladefortschritt</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>reading the file</source>
        <translation>Datei wird gelesen</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>KV pool</source>
        <translation>KV-Vorrat</translation>
    </message>
    <message>
        <source>warming up</source>
        <translation>Aufwärmen</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Optionen</translation>
    </message>
    <message>
        <source>Model %1</source>
        <translation>Modell %1</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>New temporary chat</source>
        <translation>Neuer temporärer Chat</translation>
    </message>
    <message>
        <source>Find in this chat</source>
        <translation>In diesem Chat suchen</translation>
    </message>
    <message>
        <source>Find in all chats</source>
        <translation>In allen Chats suchen</translation>
    </message>
    <message>
        <source>Regenerate the answer</source>
        <translation>Antwort neu erzeugen</translation>
    </message>
    <message>
        <source>Previous branch</source>
        <translation>Voriger Zweig</translation>
    </message>
    <message>
        <source>Next branch</source>
        <translation>Nächster Zweig</translation>
    </message>
    <message>
        <source>Copy the last answer</source>
        <translation>Letzte Antwort kopieren</translation>
    </message>
    <message>
        <source>Copy the last code block</source>
        <translation>Letzten Codeblock kopieren</translation>
    </message>
    <message>
        <source>Show or hide the inspector</source>
        <translation>Inspektor ein- oder ausblenden</translation>
    </message>
    <message>
        <source>Show or hide the chat list</source>
        <translation>Chatliste ein- oder ausblenden</translation>
    </message>
    <message>
        <source>Import chats</source>
        <translation>Chats importieren</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Modell wählen</translation>
    </message>
    <message>
        <source>Open a model file</source>
        <translation>Modelldatei öffnen</translation>
    </message>
    <message>
        <source>Unload the model</source>
        <translation>Modell entladen</translation>
    </message>
    <message>
        <source>Forget cached prefixes</source>
        <translation>Zwischengespeicherte Präfixe vergessen</translation>
    </message>
    <message>
        <source>Server on or off</source>
        <translation>Server ein oder aus</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Text larger</source>
        <translation>Text größer</translation>
    </message>
    <message>
        <source>Text smaller</source>
        <translation>Text kleiner</translation>
    </message>
    <message>
        <source>Text at 100 %</source>
        <translation>Text auf 100 %</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Second chat beside this one</source>
        <translation>Zweiter Chat neben diesem</translation>
    </message>
    <message>
        <source>Lab</source>
        <translation>Labor</translation>
    </message>
    <message>
        <source>Add a server</source>
        <translation>Server hinzufügen</translation>
    </message>
    <message>
        <source>Appearance: like the system</source>
        <translation>Aussehen: wie das System</translation>
    </message>
    <message>
        <source>Appearance: light</source>
        <translation>Aussehen: hell</translation>
    </message>
    <message>
        <source>Appearance: dark</source>
        <translation>Aussehen: dunkel</translation>
    </message>
    <message>
        <source>Appearance: high contrast</source>
        <translation>Aussehen: hoher Kontrast</translation>
    </message>
    <message>
        <source>Settings: language, start, close</source>
        <translation>Einstellungen: Sprache, Start, Schließen</translation>
    </message>
    <message>
        <source>Settings: system prompt, temperature</source>
        <translation>Einstellungen: Systemprompt, Temperatur</translation>
    </message>
    <message>
        <source>Settings: device, unload when idle</source>
        <translation>Einstellungen: Gerät, Entladen bei Leerlauf</translation>
    </message>
    <message>
        <source>Settings: folders, backup</source>
        <translation>Einstellungen: Ordner, Sicherung</translation>
    </message>
    <message>
        <source>About Vitrine</source>
        <translation>Über Vitrine</translation>
    </message>
</context>
<context>
    <name>MessageListModel</name>
    <message>
        <source>You: %1</source>
        <translation>Sie: %1</translation>
    </message>
    <message>
        <source>Answer: %1</source>
        <translation>Antwort: %1</translation>
    </message>
</context>
<context>
    <name>MessageView</name>
    <message>
        <source>You: %1</source>
        <translation>Sie: %1</translation>
    </message>
    <message>
        <source>Answer: %1</source>
        <translation>Antwort: %1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
</context>
<context>
    <name>MissText</name>
    <message>
        <source>the text differs from the cached one at token %1, where %2 was expected and %3 came.</source>
        <translation>der Text weicht beim Token %1 vom gespeicherten ab, wo %2 erwartet wurde und %3 kam.</translation>
    </message>
    <message>
        <source>their blocks went to other requests %1 s ago.</source>
        <translation>ihre Blöcke gingen vor %1 s an andere Anfragen.</translation>
    </message>
    <message>
        <source>they are cached for another %1.</source>
        <translation>sie sind für einen anderen Kontext gespeichert (%1).</translation>
    </message>
    <message>
        <source>they were never computed before.</source>
        <translation>sie wurden noch nie berechnet.</translation>
    </message>
    <message>
        <source>the last block is computed again, since the answer begins behind it.</source>
        <translation>der letzte Block wird neu berechnet, weil die Antwort hinter ihm beginnt.</translation>
    </message>
    <message>
        <source>the end of the prompt does not fill a block.</source>
        <translation>das Ende des Prompts füllt keinen Block.</translation>
    </message>
    <message>
        <source>the look-up is off for this request.</source>
        <translation>für diese Anfrage ist die Suche abgeschaltet.</translation>
    </message>
    <message>
        <source>LoRA adapter</source>
        <translation>LoRA-Adapter</translation>
    </message>
    <message>
        <source>cache salt or key</source>
        <translation>Cache-Salz oder Schlüssel</translation>
    </message>
    <message>
        <source>%1 of %2 tokens were not in the cache: %3</source>
        <translation>%1 von %2 Token waren nicht im Cache: %3</translation>
    </message>
</context>
<context>
    <name>ModelButton</name>
    <message>
        <source>No model</source>
        <translation>Kein Modell</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Modell wählen</translation>
    </message>
    <message>
        <source>Model: %1 %2</source>
        <translation>Modell: %1 %2</translation>
    </message>
    <message>
        <source>Choose a model (Ctrl+L)</source>
        <translation>Modell wählen (Strg+L)</translation>
    </message>
</context>
<context>
    <name>ModelChoiceRow</name>
    <message>
        <source>Load %1 %2, %3 %4</source>
        <translation>%1 %2 laden, %3 %4</translation>
    </message>
    <message>
        <source>found in %1</source>
        <translation>gefunden in %1</translation>
    </message>
    <message>
        <source>Cannot be read</source>
        <translation>Nicht lesbar</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>Passt</translation>
    </message>
    <message>
        <source>%1 over</source>
        <translation>%1 zu viel</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Loaded</source>
        <translation>Geladen</translation>
    </message>
    <message>
        <source>%1 %2, %3, loaded</source>
        <translation>%1 %2, %3, geladen</translation>
    </message>
</context>
<context>
    <name>ModelDetails</name>
    <message>
        <source>Show in its folder</source>
        <translation>Im Ordner zeigen</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Bedarf</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation>Parallel</translation>
    </message>
    <message>
        <source>KV type</source>
        <translation>KV-Typ</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>Entladen</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>No model chosen</source>
        <translation>Kein Modell gewählt</translation>
    </message>
    <message>
        <source>Choose a file in the table, or drop a .gguf anywhere in the window.</source>
        <translation>Wählen Sie eine Datei in der Tabelle oder ziehen Sie eine .gguf-Datei ins Fenster.</translation>
    </message>
    <message>
        <source>%1 · %2 layers · %3 KV heads × %4</source>
        <translation>%1 · %2 Schichten · %3 KV-Köpfe × %4</translation>
    </message>
    <message>
        <source>✓ Chat template in the file</source>
        <translation>✓ Chatvorlage in der Datei</translation>
    </message>
    <message>
        <source>Architecture %1, embedding %2, feed-forward %3, %4 heads</source>
        <translation>Architektur %1, Einbettung %2, Feed-forward %3, %4 Köpfe</translation>
    </message>
    <message>
        <source>Vocabulary %1, tokenizer %2 %3</source>
        <translation>Vokabular %1, Tokenizer %2 %3</translation>
    </message>
    <message>
        <source>Weights: %1</source>
        <translation>Gewichte: %1</translation>
    </message>
    <message>
        <source>Sliding window %1 tokens</source>
        <translation>Gleitendes Fenster, %1 Token</translation>
    </message>
    <message>
        <source>Licence %1</source>
        <translation>Lizenz %1</translation>
    </message>
    <message>
        <source>Load again</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>Load as %1</source>
        <translation>Als %1 laden</translation>
    </message>
    <message>
        <source>%1/tok</source>
        <translation>%1/Tok</translation>
    </message>
    <message>
        <source>cannot be planned</source>
        <translation>nicht planbar</translation>
    </message>
    <message>
        <source>%1, %2 free</source>
        <translation>%1, %2 frei</translation>
    </message>
    <message>
        <source>%1 blocks of %2 tokens; memory for %3 full contexts.</source>
        <translation>%1 Blöcke zu %2 Token; Speicher für %3 volle Kontexte.</translation>
    </message>
    <message>
        <source>Loaded now: predicted %1, measured %2.</source>
        <translation>Jetzt geladen: vorhergesagt %1, gemessen %2.</translation>
    </message>
    <message>
        <source>%1 is replaced, so its memory counts as free.</source>
        <translation>%1 wird ersetzt, sein Speicher zählt deshalb als frei.</translation>
    </message>
    <message>
        <source>Not loaded: %1</source>
        <translation>Nicht geladen: %1</translation>
    </message>
    <message>
        <source>%1 stays loaded and goes on answering.</source>
        <translation>%1 bleibt geladen und antwortet weiter.</translation>
    </message>
    <message>
        <source>Quantize</source>
        <translation>Quantisieren</translation>
    </message>
    <message>
        <source>Write this model in another type, and see what that costs</source>
        <translation>Dieses Modell in einem anderen Typ schreiben und sehen, was das kostet</translation>
    </message>
    <message>
        <source>%1 layers on %2 (%3 of %4 free)</source>
        <translation>%1 Schichten auf %2 (%3 von %4, die frei sind)</translation>
    </message>
    <message>
        <source>GPU layers</source>
        <translation>GPU-Schichten</translation>
    </message>
    <message>
        <source>The first layers run on the GPU, the others on the CPU</source>
        <translation>Die ersten Schichten laufen auf der GPU, die übrigen auf der CPU</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Back to the list</source>
        <translation>Zurück zur Liste</translation>
    </message>
    <message>
        <source>No chat template in this file: it goes on with a text and does not chat.</source>
        <translation>Keine Chatvorlage in dieser Datei: sie setzt einen Text fort und chattet nicht.</translation>
    </message>
</context>
<context>
    <name>ModelListModel</name>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>Opened from elsewhere</source>
        <translation>Von anderswo geöffnet</translation>
    </message>
    <message>
        <source>%1  ·  folder offline</source>
        <translation>%1  ·  Ordner nicht erreichbar</translation>
    </message>
    <message>
        <source>%1  ·  no model file</source>
        <translation>%1  ·  keine Modelldatei</translation>
    </message>
    <message numerus="yes">
        <source>%1  ·  %n model(s), used in place</source>
        <translation>
            <numerusform>%1  ·  %n Modell, an Ort und Stelle benutzt</numerusform>
            <numerusform>%1  ·  %n Modelle, an Ort und Stelle benutzt</numerusform>
        </translation>
    </message>
    <message>
        <source>%1  ·  %2 model, %3</source>
        <translation>%1  ·  %2 Modell, %3</translation>
    </message>
    <message>
        <source>%1  ·  %2 models, %3</source>
        <translation>%1  ·  %2 Modelle, %3</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>Loaded</source>
        <translation>Geladen</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>Lädt</translation>
    </message>
    <message>
        <source>Offline</source>
        <translation>Nicht erreichbar</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>Wird gelesen</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>Vokabular</translation>
    </message>
    <message>
        <source>No template</source>
        <translation>Keine Vorlage</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Params</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Quant</source>
        <translation>Quant.</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Last used</source>
        <translation>Zuletzt</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>GGUF models</source>
        <translation>GGUF-Modelle</translation>
    </message>
    <message>
        <source>Get models (%1)</source>
        <translation>Modelle holen (%1)</translation>
    </message>
    <message>
        <source>Get models</source>
        <translation>Modelle holen</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Search models</source>
        <translation>Modelle durchsuchen</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>Ordner hinzufügen</translation>
    </message>
    <message>
        <source>Open file</source>
        <translation>Datei öffnen</translation>
    </message>
    <message>
        <source>Add a folder with models</source>
        <translation>Ordner mit Modellen hinzufügen</translation>
    </message>
    <message>
        <source>Model files</source>
        <translation>Modelldateien</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>Modell öffnen</translation>
    </message>
    <message>
        <source>Get a model</source>
        <translation>Modell holen</translation>
    </message>
    <message>
        <source>Open a file</source>
        <translation>Datei öffnen</translation>
    </message>
    <message>
        <source>Add a folder</source>
        <translation>Ordner hinzufügen</translation>
    </message>
    <message>
        <source>No model is called “%1”</source>
        <translation>Kein Modell heißt „%1“</translation>
    </message>
    <message>
        <source>No model yet</source>
        <translation>Noch kein Modell</translation>
    </message>
    <message>
        <source>Names, paths and quantizations are searched.</source>
        <translation>Gesucht wird in Namen, Pfaden und Quantisierungen.</translation>
    </message>
    <message>
        <source>Models are .gguf files. Those of LM Studio, Ollama and the Hugging Face cache are found and used where they are.</source>
        <translation>Modelle sind .gguf-Dateien. Die von LM Studio, Ollama und aus dem Hugging-Face-Cache werden gefunden und dort benutzt, wo sie liegen.</translation>
    </message>
</context>
<context>
    <name>NavigationRail</name>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
</context>
<context>
    <name>OriginList</name>
    <message>
        <source>no origin allowed</source>
        <translation>keine Herkunft erlaubt</translation>
    </message>
    <message>
        <source>Add origin</source>
        <translation>Herkunft hinzufügen</translation>
    </message>
    <message>
        <source>Allow a web page</source>
        <translation>Webseite zulassen</translation>
    </message>
    <message>
        <source>Its origin: scheme, host and port, as http://localhost:3000</source>
        <translation>Ihre Herkunft: Schema, Host und Port, etwa http://localhost:3000</translation>
    </message>
    <message>
        <source>“%1” is no origin</source>
        <translation>„%1“ ist keine Herkunft</translation>
    </message>
    <message>
        <source>An origin is a scheme, a host and perhaps a port, without a path: https://notes.example or http://localhost:3000. Every page of that origin could then use the model.</source>
        <translation>Eine Herkunft besteht aus Schema, Host und vielleicht Port, ohne Pfad: https://notes.example oder http://localhost:3000. Jede Seite dieser Herkunft könnte dann das Modell benutzen.</translation>
    </message>
    <message>
        <source>Allowed origin %1, Delete removes it</source>
        <translation>Erlaubte Herkunft %1, Entf entfernt sie</translation>
    </message>
</context>
<context>
    <name>PositionBars</name>
    <message>
        <source>Accepted drafts by position</source>
        <translation>Angenommene Entwürfe je Stelle</translation>
    </message>
    <message>
        <source>Of the drafts offered at each position of a step, how many the model accepted; over the window or the selection</source>
        <translation>Wie viele der an jeder Stelle eines Schritts angebotenen Entwürfe das Modell angenommen hat; über den Zeitraum oder die Auswahl</translation>
    </message>
    <message>
        <source>position %1: %2 of %3</source>
        <translation>Stelle %1: %2 von %3</translation>
    </message>
    <message>
        <source>no drafts in this window</source>
        <translation>keine Entwürfe in diesem Zeitraum</translation>
    </message>
    <message>
        <source>Accepted by position</source>
        <translation>Angenommen je Stelle</translation>
    </message>
    <message>
        <source>draft %1</source>
        <translation>Entwurf %1</translation>
    </message>
</context>
<context>
    <name>PresetBar</name>
    <message>
        <source>Preset of this chat</source>
        <translation>Vorlage dieses Chats</translation>
    </message>
    <message>
        <source>Save or delete presets</source>
        <translation>Vorlagen speichern oder löschen</translation>
    </message>
    <message>
        <source>No preset</source>
        <translation>Keine Vorlage</translation>
    </message>
    <message>
        <source>Save as a preset…</source>
        <translation>Als Vorlage speichern…</translation>
    </message>
    <message>
        <source>Delete preset %1</source>
        <translation>Vorlage %1 löschen</translation>
    </message>
    <message>
        <source>Save as a preset</source>
        <translation>Als Vorlage speichern</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Replace the preset %1?</source>
        <translation>Vorlage %1 ersetzen?</translation>
    </message>
    <message>
        <source>Its system prompt and sampling are overwritten.</source>
        <translation>Ihr Systemprompt und ihr Sampling werden überschrieben.</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Delete the preset %1?</source>
        <translation>Vorlage %1 löschen?</translation>
    </message>
    <message>
        <source>Chats that use it keep their prompt and sampling.</source>
        <translation>Chats, die sie nutzen, behalten Systemprompt und Sampling.</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
</context>
<context>
    <name>PulseStrip</name>
    <message>
        <source>Engine pulse</source>
        <translation>Puls der Engine</translation>
    </message>
    <message>
        <source>No model is loaded. Click: Models</source>
        <translation>Kein Modell geladen. Klick: Modelle</translation>
    </message>
    <message>
        <source>%1, %2, on %3. Click: Models</source>
        <translation>%1, %2, auf %3. Klick: Modelle</translation>
    </message>
    <message>
        <source>Choose a model file</source>
        <translation>Modelldatei wählen</translation>
    </message>
    <message>
        <source>Stop loading; the model of before stays</source>
        <translation>Laden abbrechen; das bisherige Modell bleibt</translation>
    </message>
    <message>
        <source>KV blocks in use: %1 of %2 are held by running requests; %3 more hold reusable prefixes; %4 are free. Click: this plot, last 60 s</source>
        <translation>Belegte KV-Blöcke: %1 von %2 gehören laufenden Anfragen; %3 weitere halten wiederverwendbare Präfixe; %4 sind frei. Klick: dieses Diagramm, letzte 60 s</translation>
    </message>
    <message>
        <source>Sequences that run in the batch, and those that wait for room. Click: their lanes</source>
        <translation>Sequenzen, die im Batch laufen, und solche, die auf Platz warten. Klick: ihre Bahnen</translation>
    </message>
    <message>
        <source>Tokens made per second, the sum of all requests over the last 10 s. Click: this plot</source>
        <translation>Erzeugte Token je Sekunde, Summe aller Anfragen der letzten 10 s. Klick: dieses Diagramm</translation>
    </message>
    <message>
        <source>Share of prompt tokens found in the prefix cache instead of computed, last 60 s. Click: this plot</source>
        <translation>Anteil der Prompt-Token, die im Präfix-Cache gefunden statt berechnet wurden, letzte 60 s. Klick: dieses Diagramm</translation>
    </message>
    <message>
        <source>Draft tokens accepted in one step of one sequence; a bar for each draft position. Click: this plot</source>
        <translation>Entwurfs-Token, die in einem Schritt einer Sequenz angenommen wurden; ein Balken je Entwurfsstelle. Klick: dieses Diagramm</translation>
    </message>
    <message>
        <source>The endpoint answers on port %1. Click: Server</source>
        <translation>Der Endpunkt antwortet an Port %1. Klick: Server</translation>
    </message>
    <message>
        <source>The endpoint is off. Click: Server</source>
        <translation>Der Endpunkt ist aus. Klick: Server</translation>
    </message>
    <message>
        <source>server on port %1</source>
        <translation>Server an Port %1</translation>
    </message>
    <message>
        <source>server off</source>
        <translation>Server aus</translation>
    </message>
    <message>
        <source>No model loaded, %1</source>
        <translation>Kein Modell geladen, %1</translation>
    </message>
    <message>
        <source>Loading %1, %2 of %3</source>
        <translation>%1 wird geladen, %2 von %3</translation>
    </message>
    <message>
        <source>%1, %2 of %3 KV blocks, %4 running, %5 waiting, %6 tokens per second, prefix %7, %8</source>
        <translation>%1, %2 von %3 KV-Blöcken, %4 laufen, %5 warten, %6 Token je Sekunde, Präfix %7, %8</translation>
    </message>
    <message>
        <source>No model loaded</source>
        <translation>Kein Modell geladen</translation>
    </message>
    <message>
        <source>reading the file</source>
        <translation>Datei wird gelesen</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source> run · </source>
        <translation> aktiv · </translation>
    </message>
    <message>
        <source> wait</source>
        <translation> warten</translation>
    </message>
    <message>
        <source> tok/s</source>
        <translation> Tok/s</translation>
    </message>
    <message>
        <source>accept </source>
        <translation>angen. </translation>
    </message>
    <message>
        <source>server </source>
        <translation>Server </translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>Modell öffnen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>prefix </source>
        <translation>Präfix </translation>
    </message>
    <message>
        <source>This server does not tell how many KV blocks it has. Click: what it tells</source>
        <translation>Dieser Server sagt nicht, wie viele KV-Blöcke er hat. Klick: was er sagt</translation>
    </message>
    <message>
        <source>%1, on %2. Click: Models</source>
        <translation>%1, auf %2. Klick: Modelle</translation>
    </message>
</context>
<context>
    <name>QualityView</name>
    <message>
        <source>What it cost</source>
        <translation>Was es gekostet hat</translation>
    </message>
    <message>
        <source>Figures of the report</source>
        <translation>Zahlen des Berichts</translation>
    </message>
    <message>
        <source>Three answers, before and after</source>
        <translation>Drei Antworten, vorher und nachher</translation>
    </message>
    <message>
        <source>Matrices, the largest error first</source>
        <translation>Matrizen, der größte Fehler zuerst</translation>
    </message>
    <message>
        <source>Errors of the matrices</source>
        <translation>Fehler der Matrizen</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Quantized</source>
        <translation>Quantisiert</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Bits a weight</source>
        <translation>Bits je Gewicht</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>Perplexität</translation>
    </message>
    <message>
        <source>KL, mean</source>
        <translation>KL, Mittel</translation>
    </message>
    <message>
        <source>KL, 99.9 % of places</source>
        <translation>KL, 99,9 % der Stellen</translation>
    </message>
    <message>
        <source>Same first choice, %</source>
        <translation>Gleiche erste Wahl, %</translation>
    </message>
    <message>
        <source>Over %1 places of a text that comes with the program.</source>
        <translation>Über %1 Stellen eines Textes, der dem Programm beiliegt.</translation>
    </message>
    <message>
        <source>%1
Before: %2
After: %3</source>
        <translation>%1
Vorher: %2
Nachher: %3</translation>
    </message>
    <message>
        <source>Matrix</source>
        <translation>Matrix</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Nach</translation>
    </message>
    <message>
        <source>Error, %</source>
        <translation>Fehler, %</translation>
    </message>
</context>
<context>
    <name>QuantPicker</name>
    <message>
        <source>Quantization</source>
        <translation>Quantisierung</translation>
    </message>
    <message>
        <source>bits/w</source>
        <translation>Bit/Gew.</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>passt</translation>
    </message>
    <message>
        <source>As in the file</source>
        <translation>Wie in der Datei</translation>
    </message>
    <message>
        <source>Tokens a second of the last long answer with these weights</source>
        <translation>Token je Sekunde der letzten langen Antwort mit diesen Gewichten</translation>
    </message>
    <message>
        <source>not possible</source>
        <translation>nicht möglich</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>%1 over</source>
        <translation>%1 zu viel</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>Tok/s</translation>
    </message>
    <message>
        <source>%1, in the file</source>
        <translation>%1, in der Datei</translation>
    </message>
</context>
<context>
    <name>QuantizationRunner</name>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>%1 lässt sich nicht lesen: %2</translation>
    </message>
    <message>
        <source>Choose another text.</source>
        <translation>Wählen Sie einen anderen Text.</translation>
    </message>
</context>
<context>
    <name>QuantizePanel</name>
    <message>
        <source>GPTQ, sees a text</source>
        <translation>GPTQ, sieht einen Text</translation>
    </message>
    <message>
        <source>AWQ, sees a text</source>
        <translation>AWQ, sieht einen Text</translation>
    </message>
    <message>
        <source>Round to nearest</source>
        <translation>Zum nächsten Wert runden</translation>
    </message>
    <message>
        <source>Watching the text: %1 of %2</source>
        <translation>Der Text wird beobachtet: %1 von %2</translation>
    </message>
    <message>
        <source>Writing: %1 of %2</source>
        <translation>Schreiben: %1 von %2</translation>
    </message>
    <message>
        <source>Comparing with the source: %1 of %2 tokens</source>
        <translation>Vergleich mit der Quelle: %1 von %2 Token</translation>
    </message>
    <message>
        <source>Back to the details</source>
        <translation>Zurück zu den Einzelheiten</translation>
    </message>
    <message>
        <source>%1, a folder of safetensors</source>
        <translation>%1, ein Ordner mit safetensors</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Verfahren</translation>
    </message>
    <message>
        <source>Choose a text</source>
        <translation>Text wählen</translation>
    </message>
    <message>
        <source>Text it sees</source>
        <translation>Text, den es sieht</translation>
    </message>
    <message>
        <source>Browse</source>
        <translation>Durchsuchen</translation>
    </message>
    <message>
        <source>Choose where to write</source>
        <translation>Wählen, wohin geschrieben wird</translation>
    </message>
    <message>
        <source>Written to</source>
        <translation>Geschrieben nach</translation>
    </message>
    <message>
        <source>Compare with the source afterwards</source>
        <translation>Danach mit der Quelle vergleichen</translation>
    </message>
    <message>
        <source>Progress of the quantization</source>
        <translation>Fortschritt der Quantisierung</translation>
    </message>
    <message>
        <source>Quantize</source>
        <translation>Quantisieren</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel the quantization</source>
        <translation>Quantisierung abbrechen</translation>
    </message>
    <message>
        <source>Save report</source>
        <translation>Bericht speichern</translation>
    </message>
    <message>
        <source>Quantize %1</source>
        <translation>%1 quantisieren</translation>
    </message>
    <message>
        <source>Say where the model is to be written.</source>
        <translation>Es fehlt, wohin das Modell geschrieben werden soll.</translation>
    </message>
    <message>
        <source>%1 is there already: choose another name.</source>
        <translation>%1 gibt es schon: bitte einen anderen Namen wählen.</translation>
    </message>
    <message>
        <source>This method watches the model at work: choose a text, a few pages of what it will be asked.</source>
        <translation>Dieses Verfahren beobachtet das Modell bei der Arbeit: bitte einen Text wählen, ein paar Seiten von dem, was es gefragt werden wird.</translation>
    </message>
    <message>
        <source>Write the model to</source>
        <translation>Modell schreiben nach</translation>
    </message>
    <message>
        <source>GGUF models</source>
        <translation>GGUF-Modelle</translation>
    </message>
    <message>
        <source>Folder that takes the model</source>
        <translation>Ordner, der das Modell aufnimmt</translation>
    </message>
    <message>
        <source>Texts</source>
        <translation>Texte</translation>
    </message>
    <message>
        <source>Reading the source</source>
        <translation>Die Quelle wird gelesen</translation>
    </message>
    <message>
        <source>%1 is written.</source>
        <translation>%1 ist geschrieben.</translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation>Bericht speichern</translation>
    </message>
    <message>
        <source>Reports</source>
        <translation>Berichte</translation>
    </message>
    <message>
        <source>The report was not saved: %1</source>
        <translation>Der Bericht wurde nicht gespeichert: %1</translation>
    </message>
</context>
<context>
    <name>ReadingTableModel</name>
    <message>
        <source> restarted</source>
        <translation> neu gestartet</translation>
    </message>
    <message>
        <source>Age s</source>
        <translation>Alter s</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Laufend</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartend</translation>
    </message>
    <message>
        <source>KV %</source>
        <translation>KV %</translation>
    </message>
    <message>
        <source>Prompt tok</source>
        <translation>Prompt-Tok</translation>
    </message>
    <message>
        <source>Generated</source>
        <translation>Erzeugt</translation>
    </message>
    <message>
        <source>Looked up</source>
        <translation>Gesucht</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>Drafted</source>
        <translation>Entworfen</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>Angenommen</translation>
    </message>
    <message>
        <source>Preempted</source>
        <translation>Verdrängt</translation>
    </message>
    <message>
        <source> own requests</source>
        <translation> eigene Anfragen</translation>
    </message>
</context>
<context>
    <name>ReasoningFold</name>
    <message>
        <source>%1, show or hide</source>
        <translation>%1, ein- oder ausblenden</translation>
    </message>
</context>
<context>
    <name>Remote</name>
    <message>
        <source>%1 ended the answer: %2</source>
        <translation>%1 hat die Antwort beendet: %2</translation>
    </message>
    <message>
        <source>Try again; the server&apos;s own log says more.</source>
        <translation>Versuchen Sie es noch einmal; das Protokoll des Servers sagt mehr.</translation>
    </message>
    <message>
        <source>This request has no form in the chat API of a server</source>
        <translation>Diese Anfrage lässt sich in der Chat-API eines Servers nicht ausdrücken</translation>
    </message>
    <message>
        <source>Ask it of a model on this computer.</source>
        <translation>Stellen Sie sie einem Modell auf diesem Computer.</translation>
    </message>
    <message>
        <source>This server offers no way to continue an answer</source>
        <translation>Dieser Server kann eine Antwort nicht fortsetzen</translation>
    </message>
    <message>
        <source>Regenerate the answer, or send a further turn.</source>
        <translation>Erzeugen Sie die Antwort neu, oder senden Sie eine weitere Nachricht.</translation>
    </message>
    <message>
        <source>it gives no reason</source>
        <translation>einen Grund nennt er nicht</translation>
    </message>
    <message>
        <source>%1 bytes of its stream are no JSON (%2)</source>
        <translation>%1 Byte seines Datenstroms sind kein JSON (%2)</translation>
    </message>
    <message>
        <source>no object</source>
        <translation>kein Objekt</translation>
    </message>
    <message>
        <source>%1 has no metrics page</source>
        <translation>%1 hat keine Metrikseite</translation>
    </message>
    <message>
        <source>Start SGLang with --enable-metrics and llama-server with --metrics; llama-cpp-python has none.</source>
        <translation>Starten Sie SGLang mit --enable-metrics und llama-server mit --metrics; llama-cpp-python hat keine.</translation>
    </message>
    <message>
        <source>%1 does not give its metrics</source>
        <translation>%1 gibt seine Metriken nicht heraus</translation>
    </message>
    <message>
        <source>Start llama-server with --metrics.</source>
        <translation>Starten Sie llama-server mit --metrics.</translation>
    </message>
    <message>
        <source>None of the %1 samples on its metrics page has a name of an engine that Vitrine knows.</source>
        <translation>Keiner der %1 Werte auf seiner Metrikseite trägt den Namen einer Engine, die Vitrine kennt.</translation>
    </message>
    <message>
        <source>%1 sent an event of more than %2 bytes</source>
        <translation>%1 hat ein Ereignis von mehr als %2 Byte gesendet</translation>
    </message>
    <message>
        <source>See that the address is that of an OpenAI-compatible server.</source>
        <translation>Prüfen Sie, ob die Adresse zu einem OpenAI-kompatiblen Server gehört.</translation>
    </message>
    <message>
        <source>%1 closed the connection after %2 tokens without saying that the answer was complete</source>
        <translation>%1 hat die Verbindung nach %2 Token geschlossen, ohne die Antwort als vollständig zu melden</translation>
    </message>
    <message>
        <source>A server elsewhere opens no file of this computer</source>
        <translation>Ein Server anderswo öffnet keine Datei dieses Computers</translation>
    </message>
    <message>
        <source>Choose this computer first.</source>
        <translation>Wählen Sie zuerst diesen Computer.</translation>
    </message>
    <message>
        <source>The connection to the server has ended</source>
        <translation>Die Verbindung zum Server ist beendet</translation>
    </message>
    <message>
        <source>Choose the server again.</source>
        <translation>Wählen Sie den Server noch einmal.</translation>
    </message>
    <message>
        <source>This program already waits for %1 answers of this server</source>
        <translation>Dieses Programm wartet schon auf %1 Antworten dieses Servers</translation>
    </message>
    <message>
        <source>Wait for one of them.</source>
        <translation>Warten Sie eine davon ab.</translation>
    </message>
    <message>
        <source>%1 answers %2 to %3%4</source>
        <translation>%1 antwortet mit %2 auf %3%4</translation>
    </message>
    <message>
        <source>%1 sends requests on to %2</source>
        <translation>%1 leitet Anfragen weiter an %2</translation>
    </message>
    <message>
        <source>Give that address instead; keys are not sent where nobody asked for.</source>
        <translation>Geben Sie jene Adresse an; Schlüssel werden nicht ungefragt anderswohin gesendet.</translation>
    </message>
    <message>
        <source>%1 refuses the key (%2)%3</source>
        <translation>%1 weist den Schlüssel zurück (%2)%3</translation>
    </message>
    <message>
        <source>Check the key of this server.</source>
        <translation>Prüfen Sie den Schlüssel dieses Servers.</translation>
    </message>
    <message>
        <source>Check the address and the model.</source>
        <translation>Prüfen Sie die Adresse und das Modell.</translation>
    </message>
    <message>
        <source>Try again in a moment.</source>
        <translation>Versuchen Sie es gleich noch einmal.</translation>
    </message>
    <message>
        <source>The server&apos;s own log says more.</source>
        <translation>Das Protokoll des Servers sagt mehr.</translation>
    </message>
    <message>
        <source>Change the request, or the settings of this chat.</source>
        <translation>Ändern Sie die Anfrage oder die Einstellungen dieses Chats.</translation>
    </message>
    <message>
        <source>%1 answers %2 with more than %3 MiB</source>
        <translation>%1 antwortet auf %2 mit mehr als %3 MiB</translation>
    </message>
    <message>
        <source>See that the address is that of an inference server.</source>
        <translation>Prüfen Sie, ob die Adresse zu einem Inferenzserver gehört.</translation>
    </message>
    <message>
        <source>See what keeps the server or the network to it busy.</source>
        <translation>Sehen Sie nach, was den Server oder das Netz zu ihm beschäftigt.</translation>
    </message>
    <message>
        <source>See that the server runs, and on which port.</source>
        <translation>Prüfen Sie, ob der Server läuft, und an welchem Port.</translation>
    </message>
    <message>
        <source>No computer is called %1</source>
        <translation>Kein Computer heißt %1</translation>
    </message>
    <message>
        <source>Check the address.</source>
        <translation>Prüfen Sie die Adresse.</translation>
    </message>
    <message>
        <source>See that the server runs and that no firewall stands before it.</source>
        <translation>Prüfen Sie, ob der Server läuft und keine Firewall davor steht.</translation>
    </message>
    <message>
        <source>%1 closed the connection</source>
        <translation>%1 hat die Verbindung geschlossen</translation>
    </message>
    <message>
        <source>See that it still runs; http and https are different doors.</source>
        <translation>Prüfen Sie, ob er noch läuft; http und https sind verschiedene Türen.</translation>
    </message>
    <message>
        <source>%1 does not speak TLS as it should (%2)</source>
        <translation>%1 spricht kein richtiges TLS (%2)</translation>
    </message>
    <message>
        <source>See whether the address begins with http there instead of https.</source>
        <translation>Prüfen Sie, ob die Adresse dort mit http statt https beginnt.</translation>
    </message>
    <message>
        <source>The certificate of %1 is not trusted: %2</source>
        <translation>Dem Zertifikat von %1 wird nicht vertraut: %2</translation>
    </message>
    <message>
        <source>Add the certificate of its authority to those of this system, or use the name the certificate is for.</source>
        <translation>Fügen Sie das Zertifikat seiner Zertifizierungsstelle denen dieses Systems hinzu, oder benutzen Sie den Namen, für den es gilt.</translation>
    </message>
    <message>
        <source>%1 needs TLS, and this computer&apos;s Qt has none</source>
        <translation>%1 braucht TLS, und das Qt dieses Computers hat keines</translation>
    </message>
    <message>
        <source>Install the OpenSSL libraries.</source>
        <translation>Installieren Sie die OpenSSL-Bibliotheken.</translation>
    </message>
    <message>
        <source>See that the server runs and can be reached.</source>
        <translation>Prüfen Sie, ob der Server läuft und erreichbar ist.</translation>
    </message>
    <message>
        <source>%1 offers no model</source>
        <translation>%1 bietet kein Modell an</translation>
    </message>
    <message>
        <source>%1 answers /v1/models with something else than a list</source>
        <translation>%1 antwortet auf /v1/models mit etwas anderem als einer Liste</translation>
    </message>
    <message>
        <source>Load a model there.</source>
        <translation>Laden Sie dort ein Modell.</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1 sends %2 so slowly that it is not there in time</source>
        <translation>%1 sendet %2 so langsam, dass es nicht rechtzeitig da ist</translation>
    </message>
    <message>
        <source>Nothing listens at %1</source>
        <translation>An %1 lauscht nichts</translation>
    </message>
    <message>
        <source>%1 does not answer in time</source>
        <translation>%1 antwortet nicht rechtzeitig</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>RemoteAdapter</name>
    <message>
        <source>%1 does not offer %2; it offers %3</source>
        <translation>%1 bietet %2 nicht an; angeboten werden %3</translation>
    </message>
    <message>
        <source>Choose another model of this server.</source>
        <translation>Wählen Sie ein anderes Modell dieses Servers.</translation>
    </message>
</context>
<context>
    <name>RemoteControl</name>
    <message>
        <source>Type an address such as http://gpu7:8000.</source>
        <translation>Geben Sie eine Adresse wie http://gpu7:8000 ein.</translation>
    </message>
    <message>
        <source>The server has no address.</source>
        <translation>Der Server hat keine Adresse.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no address of a server.</source>
        <translation>„%1“ ist keine Adresse eines Servers.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; begins with %2; a server is reached by http or https.</source>
        <translation>„%1“ beginnt mit %2; ein Server wird über http oder https erreicht.</translation>
    </message>
    <message>
        <source>The address of %1 holds a password; keys have a field of their own.</source>
        <translation>Die Adresse von %1 enthält ein Passwort; Schlüssel haben ein eigenes Feld.</translation>
    </message>
</context>
<context>
    <name>RequestLanes</name>
    <message>
        <source>stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>tool call</source>
        <translation>Werkzeugaufruf</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Requests over time</source>
        <translation>Anfragen im Zeitverlauf</translation>
    </message>
    <message>
        <source>%1 tok</source>
        <translation>%1 Tok</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>%1 of %2 reused</source>
        <translation>%1 von %2 wiederverwendet</translation>
    </message>
    <message>
        <source>read %1</source>
        <translation>%1 gelesen</translation>
    </message>
    <message>
        <source>No request in this window</source>
        <translation>Keine Anfrage in diesem Zeitraum</translation>
    </message>
    <message>
        <source>Request %1</source>
        <translation>Anfrage %1</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
</context>
<context>
    <name>RequestLogModel</name>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>Client</translation>
    </message>
    <message>
        <source>Route</source>
        <translation>Route</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Queue s</source>
        <translation>Wartet s</translation>
    </message>
    <message>
        <source>First s</source>
        <translation>Erstes s</translation>
    </message>
    <message>
        <source>In / cached / out</source>
        <translation>Ein / Cache / Aus</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>Tok/s</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Ende</translation>
    </message>
</context>
<context>
    <name>RequestSheet</name>
    <message>
        <source>waiting %1, prompt %2, answer %3</source>
        <translation>Warten %1, Prompt %2, Antwort %3</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Close the request</source>
        <translation>Anfrage schließen</translation>
    </message>
    <message>
        <source>Part shown</source>
        <translation>Gezeigter Teil</translation>
    </message>
    <message>
        <source>Body</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Show in Engine</source>
        <translation>In Engine zeigen</translation>
    </message>
    <message>
        <source>Copy as curl</source>
        <translation>Als curl kopieren</translation>
    </message>
    <message>
        <source>Sends the same request to this server again</source>
        <translation>Sendet dieselbe Anfrage noch einmal an diesen Server</translation>
    </message>
    <message>
        <source>Request %1</source>
        <translation>Anfrage %1</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Wartezeit</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>Erstes Token</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Gesamt</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>Tok/s</translation>
    </message>
    <message>
        <source>From cache</source>
        <translation>Aus dem Cache</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Nothing kept.</source>
        <translation>Nichts aufbewahrt.</translation>
    </message>
    <message>
        <source>Sent again; the new row is in the log.</source>
        <translation>Erneut gesendet; die neue Zeile steht im Protokoll.</translation>
    </message>
    <message>
        <source>Not sent: %1. Switch the server on first.</source>
        <translation>Nicht gesendet: %1. Schalten Sie zuerst den Server ein.</translation>
    </message>
    <message>
        <source>Sent again, answered with %1.</source>
        <translation>Erneut gesendet, Antwort mit %1.</translation>
    </message>
    <message>
        <source>The log keeps 64 KiB of a request, this one was longer: send it from its program</source>
        <translation>Das Protokoll behält 64 KiB einer Anfrage, diese war länger: Senden Sie sie aus ihrem Programm</translation>
    </message>
    <message>
        <source>The log keeps no more of this request: send it from its program</source>
        <translation>Das Protokoll hat diese Anfrage nicht mehr: Senden Sie sie aus ihrem Programm</translation>
    </message>
</context>
<context>
    <name>RunningWork</name>
    <message numerus="yes">
        <source>%n answer(s) would end here; the text so far is kept.</source>
        <translation>
            <numerusform>%n Antwort endet hier; ihr bisheriger Text bleibt.</numerusform>
            <numerusform>%n Antworten enden hier; ihr bisheriger Text bleibt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) not sent yet would be lost.</source>
        <translation>
            <numerusform>%n noch nicht gesendete Nachricht geht verloren.</numerusform>
            <numerusform>%n noch nicht gesendete Nachrichten gehen verloren.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is written and stays; measuring it would end.</source>
        <translation>%1 ist geschrieben und bleibt; die Messung endet.</translation>
    </message>
    <message>
        <source>%1 is being quantized, %2 written; nothing of it would be kept.</source>
        <translation>%1 wird quantisiert, %2 sind geschrieben; davon bleibt nichts.</translation>
    </message>
    <message numerus="yes">
        <source>%n download(s) would stop at %1 of %2; Get models goes on from there.</source>
        <translation>
            <numerusform>%n Download hält bei %1 von %2 an; „Modelle holen“ setzt ihn dort fort.</numerusform>
            <numerusform>%n Downloads halten bei %1 von %2 an; „Modelle holen“ setzt sie dort fort.</numerusform>
        </translation>
    </message>
    <message>
        <source>The experiment “%1”, %2 done, would end without a result.</source>
        <translation>Das Experiment „%1“, zu %2 fertig, endet ohne Ergebnis.</translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) of other programs would break off.</source>
        <translation>
            <numerusform>%n Anfrage eines anderen Programms bricht ab.</numerusform>
            <numerusform>%n Anfragen anderer Programme brechen ab.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SamplingPanel</name>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>0 always takes the likeliest token</source>
        <translation>0 nimmt immer das wahrscheinlichste Token</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>smallest set of tokens with this probability; 1 is off</source>
        <translation>kleinste Menge von Token mit dieser Wahrscheinlichkeit; 1 ist aus</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>only the k likeliest tokens; 0 is off</source>
        <translation>nur die k wahrscheinlichsten Token; 0 ist aus</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>at least this share of the likeliest token; 0 is off</source>
        <translation>mindestens dieser Anteil des wahrscheinlichsten Tokens; 0 ist aus</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>Wiederholungsstrafe</translation>
    </message>
    <message>
        <source>above 1 avoids what was said, 1 is off; auto is 1.1 for models below 1 B</source>
        <translation>über 1 meidet schon Gesagtes, 1 ist aus; auto ist 1,1 für Modelle unter 1 B</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>Most tokens</source>
        <translation>Höchstens Token</translation>
    </message>
    <message>
        <source>of one answer; −1 is up to the end of the context</source>
        <translation>einer Antwort; −1 bis zum Ende des Kontexts</translation>
    </message>
    <message>
        <source>Record token alternatives</source>
        <translation>Alternativen der Token aufzeichnen</translation>
    </message>
    <message>
        <source>Token alternatives</source>
        <translation>Alternativen der Token</translation>
    </message>
    <message>
        <source>shown on hover under This turn</source>
        <translation>erscheinen unter „Diese Antwort“ beim Darüberfahren</translation>
    </message>
    <message>
        <source>Reset %1 to its default</source>
        <translation>%1 auf den Vorgabewert setzen</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Löschen</translation>
    </message>
</context>
<context>
    <name>SendButton</name>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>Stopp (Esc)</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>Senden (Eingabe)</translation>
    </message>
</context>
<context>
    <name>ServerDialog</name>
    <message>
        <source>a server with OpenAI&apos;s API</source>
        <translation>ein Server mit OpenAIs API</translation>
    </message>
    <message>
        <source>Add a server</source>
        <translation>Server hinzufügen</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>%1 ändern</translation>
    </message>
    <message>
        <source>Chats are answered by this server, and the Engine page shows what it tells about itself. vLLM, SGLang, llama-server, TensorRT-LLM, another Vitrine, and others with OpenAI&apos;s API.</source>
        <translation>Chats werden von diesem Server beantwortet, und die Engine-Seite zeigt, was er über sich sagt. vLLM, SGLang, llama-server, TensorRT-LLM, ein anderes Vitrine und andere mit OpenAIs API.</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>if the server asks for one</source>
        <translation>falls der Server einen verlangt</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>as it is called here</source>
        <translation>wie er hier heißt</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>the first it offers</source>
        <translation>das erste, das er anbietet</translation>
    </message>
    <message>
        <source>Over http the key can be read on the way; https would hide it.</source>
        <translation>Über http kann der Schlüssel unterwegs gelesen werden; https verbirgt ihn.</translation>
    </message>
    <message>
        <source>Ask the server</source>
        <translation>Server fragen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save and use</source>
        <translation>Speichern und benutzen</translation>
    </message>
    <message>
        <source>Asking %1…</source>
        <translation>Frage %1 …</translation>
    </message>
    <message numerus="yes">
        <source>It is %1 and offers %n model(s).</source>
        <translation>
            <numerusform>Es ist %1 und bietet %n Modell an.</numerusform>
            <numerusform>Es ist %1 und bietet %n Modelle an.</numerusform>
        </translation>
    </message>
    <message>
        <source>Its metrics can be read.</source>
        <translation>Seine Metriken sind lesbar.</translation>
    </message>
    <message>
        <source>Plots show this program&apos;s own requests only: %1</source>
        <translation>Die Diagramme zeigen nur die Anfragen dieses Programms: %1</translation>
    </message>
    <message>
        <source>A key is kept in settings.json of the data folder, not encrypted, in a file that only you can read.</source>
        <translation>Ein Schlüssel steht unverschlüsselt in settings.json im Datenordner, in einer Datei, die nur Sie lesen können.</translation>
    </message>
</context>
<context>
    <name>ServerPage</name>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Server on</source>
        <translation>Server ein</translation>
    </message>
    <message>
        <source>Serve the loaded model over HTTP (Ctrl+Shift+S)</source>
        <translation>Das geladene Modell über HTTP anbieten (Strg+Umschalt+S)</translation>
    </message>
    <message>
        <source>Base URL</source>
        <translation>Basis-URL</translation>
    </message>
    <message>
        <source>Copy the base URL</source>
        <translation>Basis-URL kopieren</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Port</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>Local network</source>
        <translation>Lokales Netz</translation>
    </message>
    <message>
        <source>Reachable from</source>
        <translation>Erreichbar von</translation>
    </message>
    <message>
        <source>Create key</source>
        <translation>Schlüssel erzeugen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>API-Schlüssel</translation>
    </message>
    <message>
        <source>Web pages</source>
        <translation>Webseiten</translation>
    </message>
    <message>
        <source>✓ Host header always checked</source>
        <translation>✓ Host-Kopf wird immer geprüft</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>Ausprobieren</translation>
    </message>
    <message>
        <source>Language of the snippet</source>
        <translation>Sprache des Beispiels</translation>
    </message>
    <message>
        <source>Copy the snippet</source>
        <translation>Beispiel kopieren</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <source>Client, route, text</source>
        <translation>Client, Route, Text</translation>
    </message>
    <message>
        <source>Hold the log still</source>
        <translation>Protokoll anhalten</translation>
    </message>
    <message>
        <source>Request log</source>
        <translation>Anfrageprotokoll</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Startet</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Ein</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Wird beendet</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>Nicht gestartet</translation>
    </message>
    <message>
        <source>a network address needs one</source>
        <translation>im Netz wird einer gebraucht</translation>
    </message>
    <message>
        <source>none, not needed on this computer</source>
        <translation>keiner, auf diesem Rechner nicht nötig</translation>
    </message>
    <message>
        <source>No server in this build.</source>
        <translation>Kein Server in diesem Programm.</translation>
    </message>
    <message>
        <source>Use port %1</source>
        <translation>Port %1 benutzen</translation>
    </message>
    <message>
        <source>All %1</source>
        <translation>Alle %1</translation>
    </message>
    <message>
        <source>Running %1</source>
        <translation>Laufend %1</translation>
    </message>
    <message>
        <source>Errors %1</source>
        <translation>Fehler %1</translation>
    </message>
    <message>
        <source>Missed prefix %1</source>
        <translation>Ohne Präfix %1</translation>
    </message>
    <message>
        <source>No request yet. Paste the snippet into a terminal.</source>
        <translation>Noch keine Anfrage. Fügen Sie das Beispiel in ein Terminal ein.</translation>
    </message>
    <message>
        <source>The server is off. Requests appear here.</source>
        <translation>Der Server ist aus. Hier erscheinen die Anfragen.</translation>
    </message>
    <message>
        <source>%1 in the log</source>
        <translation>%1 im Protokoll</translation>
    </message>
    <message>
        <source>This window&apos;s chats go first</source>
        <translation>Chats dieses Fensters zuerst</translation>
    </message>
    <message>
        <source>Chats here</source>
        <translation>Chats hier</translation>
    </message>
    <message>
        <source>A request that has waited a minute goes first all the same</source>
        <translation>Eine Anfrage, die eine Minute gewartet hat, kommt trotzdem zuerst</translation>
    </message>
    <message>
        <source>go before waiting requests</source>
        <translation>gehen wartenden Anfragen vor</translation>
    </message>
    <message>
        <source>kept in settings.json, readable by you alone</source>
        <translation>steht in settings.json, nur für Sie lesbar</translation>
    </message>
    <message>
        <source>Not encrypted: whoever can read the files of this account can read the key.</source>
        <translation>Unverschlüsselt: Wer die Dateien dieses Kontos lesen kann, kann den Schlüssel lesen.</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>requests may wait, the next get 429</source>
        <translation>Anfragen dürfen warten, weitere erhalten 429</translation>
    </message>
    <message>
        <source>Requests that may wait</source>
        <translation>Anfragen, die warten dürfen</translation>
    </message>
    <message>
        <source>Beyond those that the model answers at once; it takes %1 unless told otherwise</source>
        <translation>Neben denen, die das Modell zugleich beantwortet; ohne andere Angabe %1</translation>
    </message>
</context>
<context>
    <name>ServerPanel</name>
    <message>
        <source>which block holds what</source>
        <translation>welcher Block was hält</translation>
    </message>
    <message>
        <source>the requests of others one by one</source>
        <translation>die Anfragen anderer im Einzelnen</translation>
    </message>
    <message>
        <source>how long a request was queued and how long its prompt was read</source>
        <translation>wie lange eine Anfrage wartete und wie lange ihr Prompt gelesen wurde</translation>
    </message>
    <message>
        <source>how full its KV cache is</source>
        <translation>wie voll sein KV-Cache ist</translation>
    </message>
    <message>
        <source>how many requests wait</source>
        <translation>wie viele Anfragen warten</translation>
    </message>
    <message>
        <source>prefix hits</source>
        <translation>Präfix-Treffer</translation>
    </message>
    <message>
        <source>drafts</source>
        <translation>Entwürfe</translation>
    </message>
    <message>
        <source>times to the first token</source>
        <translation>Zeiten bis zum ersten Token</translation>
    </message>
    <message>
        <source>times between tokens</source>
        <translation>Zeiten zwischen Tokens</translation>
    </message>
    <message>
        <source>the time of a step and its parts</source>
        <translation>die Zeit eines Schritts und seiner Teile</translation>
    </message>
    <message>
        <source>its memory</source>
        <translation>seinen Speicher</translation>
    </message>
    <message>
        <source>Server shown</source>
        <translation>Gezeigter Server</translation>
    </message>
    <message>
        <source>context %1 tokens</source>
        <translation>Kontext %1 Tokens</translation>
    </message>
    <message>
        <source>context not told</source>
        <translation>Kontext nicht genannt</translation>
    </message>
    <message>
        <source>%1 KV blocks</source>
        <translation>%1 KV-Blöcke</translation>
    </message>
    <message>
        <source>This server does not tell: %1. The lanes are those of this program&apos;s own requests, as seen from here; percentiles are estimated from the buckets of the last minute.</source>
        <translation>Dieser Server sagt nicht: %1. Die Bahnen sind die der Anfragen dieses Programms, von hier aus gesehen; Perzentile sind aus den Klassen der letzten Minute geschätzt.</translation>
    </message>
    <message>
        <source>This server does not tell: %1. The lanes and figures are those of this program&apos;s own requests, as seen from here.</source>
        <translation>Dieser Server sagt nicht: %1. Spuren und Zahlen sind die der eigenen Anfragen dieses Programms, von hier aus gesehen.</translation>
    </message>
</context>
<context>
    <name>SessionText</name>
    <message>
        <source>The recording is not JSON: %1 at byte %2.</source>
        <translation>Die Aufzeichnung ist kein JSON: %1 bei Byte %2.</translation>
    </message>
    <message>
        <source>Choose a file that Vitrine saved with Save recording.</source>
        <translation>Wählen Sie eine Datei, die Vitrine mit „Aufzeichnung speichern“ geschrieben hat.</translation>
    </message>
    <message>
        <source>The file has no field vitrine_session: it is no recording of Vitrine.</source>
        <translation>Die Datei hat kein Feld vitrine_session: Sie ist keine Aufzeichnung von Vitrine.</translation>
    </message>
    <message>
        <source>The recording has version %1, this program reads version %2.</source>
        <translation>Die Aufzeichnung hat Version %1, dieses Programm liest Version %2.</translation>
    </message>
    <message>
        <source>Choose a file that this version of Vitrine saved.</source>
        <translation>Wählen Sie eine Datei, die diese Version von Vitrine gespeichert hat.</translation>
    </message>
    <message>
        <source>The recording is damaged: %1.</source>
        <translation>Die Aufzeichnung ist beschädigt: %1.</translation>
    </message>
    <message>
        <source>Choose another file, or record the session again.</source>
        <translation>Wählen Sie eine andere Datei, oder zeichnen Sie die Sitzung neu auf.</translation>
    </message>
    <message>
        <source>%1 row %2 %3</source>
        <translation>%1, Zeile %2: %3</translation>
    </message>
    <message>
        <source>%1 is no list</source>
        <translation>%1 ist keine Liste</translation>
    </message>
    <message>
        <source>has a wrong number of values</source>
        <translation>falsche Zahl von Werten</translation>
    </message>
    <message>
        <source>has a value that is no count</source>
        <translation>ein Wert ist keine Anzahl</translation>
    </message>
    <message>
        <source>does not follow the step before it</source>
        <translation>folgt nicht auf den Schritt davor</translation>
    </message>
    <message>
        <source>has a time out of range</source>
        <translation>eine Zeit liegt außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>has a value out of range</source>
        <translation>ein Wert liegt außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>is one more than a recording holds</source>
        <translation>eine mehr, als eine Aufzeichnung fasst</translation>
    </message>
    <message>
        <source>has a time or a count out of range</source>
        <translation>eine Zeit oder Anzahl liegt außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>brings more block states than a recording holds</source>
        <translation>mehr Blockzustände, als eine Aufzeichnung fasst</translation>
    </message>
    <message>
        <source>has a change out of range</source>
        <translation>eine Änderung liegt außerhalb des Bereichs</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Search settings</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>Abschnitte</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>Ablage</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Über</translation>
    </message>
    <message>
        <source>For new chats; the inspector changes one chat.</source>
        <translation>Für neue Chats; der Inspektor ändert einen einzelnen.</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>None. For example: Answer briefly, in plain words.</source>
        <translation>Keiner. Zum Beispiel: Antworte kurz und in einfachen Worten.</translation>
    </message>
    <message>
        <source>What every new chat begins with</source>
        <translation>Womit jeder neue Chat beginnt</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>0 always takes the likeliest token: the same question has the same answer</source>
        <translation>0 nimmt immer das wahrscheinlichste Token: dieselbe Frage hat dieselbe Antwort</translation>
    </message>
    <message>
        <source>Enter sends</source>
        <translation>Eingabe sendet</translation>
    </message>
    <message>
        <source>Off: Ctrl+Enter sends and Enter breaks the line</source>
        <translation>Aus: Strg+Eingabe sendet, Eingabe bricht die Zeile um</translation>
    </message>
    <message>
        <source>Like the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Used by the next load; each model remembers its own context, KV type and quantization.</source>
        <translation>Gilt beim nächsten Laden; jedes Modell merkt sich Kontext, KV-Typ und Quantisierung selbst.</translation>
    </message>
    <message>
        <source>Best available</source>
        <translation>Das beste vorhandene</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Where models run</source>
        <translation>Wo Modelle rechnen</translation>
    </message>
    <message>
        <source>Looking for devices…</source>
        <translation>Geräte werden gesucht …</translation>
    </message>
    <message>
        <source>%1 is not used: %2</source>
        <translation>%1 wird nicht benutzt: %2</translation>
    </message>
    <message>
        <source>%1: %2, %3, %4 free of %5</source>
        <translation>%1: %2, %3, %4 von %5 frei</translation>
    </message>
    <message>
        <source>Load the last model at start</source>
        <translation>Beim Start das letzte Modell laden</translation>
    </message>
    <message>
        <source>The window opens at once, the model follows</source>
        <translation>Das Fenster öffnet sofort, das Modell folgt</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source> min</source>
        <translation> min</translation>
    </message>
    <message>
        <source>Unload when idle</source>
        <translation>Untätig entladen</translation>
    </message>
    <message>
        <source>Gives the memory back; the next message loads the model again. Not while the server runs</source>
        <translation>Gibt den Speicher zurück; die nächste Nachricht lädt das Modell wieder. Nicht, solange der Server läuft</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>Every change applies at once.</source>
        <translation>Jede Änderung gilt sofort.</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Textgröße</translation>
    </message>
    <message>
        <source>Ctrl + and Ctrl −, Ctrl 0 for 100 %</source>
        <translation>Strg + und Strg −, Strg 0 für 100 %</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Less motion</source>
        <translation>Weniger Bewegung</translation>
    </message>
    <message>
        <source>Panels and sheets appear without sliding</source>
        <translation>Leisten und Blätter erscheinen ohne Gleiten</translation>
    </message>
    <message>
        <source>Patterns on sequence colours</source>
        <translation>Muster auf Sequenzfarben</translation>
    </message>
    <message>
        <source>Hatching beside colour, in the block map and the lanes</source>
        <translation>Schraffur neben der Farbe, in der Blockkarte und den Bahnen</translation>
    </message>
    <message>
        <source>Chats, settings and models stay on this computer.</source>
        <translation>Chats, Einstellungen und Modelle bleiben auf diesem Rechner.</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>Datenordner</translation>
    </message>
    <message>
        <source>Settings file</source>
        <translation>Einstellungsdatei</translation>
    </message>
    <message>
        <source>Model folders</source>
        <translation>Modellordner</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>Ordner hinzufügen</translation>
    </message>
    <message>
        <source>Add a folder with models</source>
        <translation>Ordner mit Modellen hinzufügen</translation>
    </message>
    <message>
        <source>Models of other apps</source>
        <translation>Modelle anderer Programme</translation>
    </message>
    <message>
        <source>LM Studio, Ollama and the Hugging Face cache, used in place</source>
        <translation>LM Studio, Ollama und der Cache von Hugging Face, an Ort und Stelle benutzt</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove %1 from the list</source>
        <translation>%1 aus der Liste entfernen</translation>
    </message>
    <message>
        <source>folder offline</source>
        <translation>Ordner nicht erreichbar</translation>
    </message>
    <message>
        <source>Click a field and press the new keys; Backspace takes them away. No single key destroys anything.</source>
        <translation>Klicken Sie in ein Feld und drücken Sie die neuen Tasten; die Rücktaste nimmt sie weg. Keine einzelne Taste zerstört etwas.</translation>
    </message>
    <message>
        <source>Stop the answer, close a sheet</source>
        <translation>Antwort anhalten, Blatt schließen</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Edit the last message, in an empty composer</source>
        <translation>Letzte Nachricht bearbeiten, im leeren Eingabefeld</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Auf</translation>
    </message>
    <message>
        <source>Jump to the newest text and follow</source>
        <translation>Zum neuesten Text springen und folgen</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Pause the plots (Engine page)</source>
        <translation>Diagramme anhalten (Seite Engine)</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>Vitrine</source>
        <translation>Vitrine</translation>
    </message>
    <message>
        <source>Local language models, run fast and shown live.</source>
        <translation>Lokale Sprachmodelle, schnell ausgeführt und live gezeigt.</translation>
    </message>
    <message>
        <source>Version %1. Local language models, run fast and shown live.</source>
        <translation>Version %1. Lokale Sprachmodelle, schnell ausgeführt und live gezeigt.</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>Privatsphäre</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>GNU General Public License, version 3 or later. This program comes with absolutely no warranty. You may share and change it under the terms of that licence.</source>
        <translation>GNU General Public License, Version 3 oder neuer. Für dieses Programm gibt es keinerlei Gewährleistung. Sie dürfen es unter den Bedingungen dieser Lizenz weitergeben und ändern.</translation>
    </message>
    <message>
        <source>Built with</source>
        <translation>Gebaut mit</translation>
    </message>
    <message>
        <source>Qt (LGPL 3), QCustomPlot (GPL 3 or later), Boost (BSL 1.0), {fmt} and spdlog (MIT), PCRE2 and xxHash (BSD), nlohmann/json (MIT), SQLite (public domain), Inter and JetBrains Mono (OFL 1.1).</source>
        <translation>Qt (LGPL 3), QCustomPlot (GPL 3 oder neuer), Boost (BSL 1.0), {fmt} und spdlog (MIT), PCRE2 und xxHash (BSD), nlohmann/json (MIT), SQLite (gemeinfrei), Inter und JetBrains Mono (OFL 1.1).</translation>
    </message>
    <message>
        <source>General</source>
        <translation>Allgemein</translation>
    </message>
    <message>
        <source>Start, close and language.</source>
        <translation>Start, Schließen und Sprache.</translation>
    </message>
    <message>
        <source>Keep serving when the window is closed</source>
        <translation>Bei geschlossenem Fenster weiter bereitstellen</translation>
    </message>
    <message>
        <source>With the server on, closing hides the window and an icon in the tray brings it back or quits. Off, or without the server: closing quits</source>
        <translation>Läuft der Server, verbirgt Schließen das Fenster, und ein Symbol in der Kontrollleiste holt es zurück oder beendet. Aus oder ohne Server: Schließen beendet</translation>
    </message>
    <message>
        <source>This desktop shows no tray icons, so closing the window always quits.</source>
        <translation>Diese Oberfläche zeigt keine Symbole in der Kontrollleiste, Schließen beendet daher immer.</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Database of chats and their search index</source>
        <translation>Datenbank der Chats und ihr Suchindex</translation>
    </message>
    <message>
        <source>Models in the data folder</source>
        <translation>Modelle im Datenordner</translation>
    </message>
    <message>
        <source>Files in other folders are used in place and not counted</source>
        <translation>Dateien in anderen Ordnern werden dort benutzt und nicht gezählt</translation>
    </message>
    <message>
        <source>Back up…</source>
        <translation>Sichern…</translation>
    </message>
    <message>
        <source>Restore…</source>
        <translation>Wiederherstellen…</translation>
    </message>
    <message>
        <source>Backup of all chats</source>
        <translation>Sicherung aller Chats</translation>
    </message>
    <message>
        <source>One JSON file. Restoring adds what is missing and changes nothing that is here</source>
        <translation>Eine JSON-Datei. Wiederherstellen ergänzt, was fehlt, und ändert nichts Vorhandenes</translation>
    </message>
    <message>
        <source>Back up all chats</source>
        <translation>Alle Chats sichern</translation>
    </message>
    <message>
        <source>JSON files</source>
        <translation>JSON-Dateien</translation>
    </message>
    <message>
        <source>Chats in %1: %2.</source>
        <translation>Chats in %1: %2.</translation>
    </message>
    <message>
        <source>The backup was not written: %1</source>
        <translation>Die Sicherung wurde nicht geschrieben: %1</translation>
    </message>
    <message>
        <source>Restore chats from a backup</source>
        <translation>Chats aus einer Sicherung wiederherstellen</translation>
    </message>
    <message>
        <source>the file is larger than 2 GiB</source>
        <translation>die Datei ist größer als 2 GiB</translation>
    </message>
    <message>
        <source>Nothing was restored: %1</source>
        <translation>Nichts wurde wiederhergestellt: %1</translation>
    </message>
    <message>
        <source>Chats added: %1. Messages added to chats that were here: %2.</source>
        <translation>Chats hinzugefügt: %1. Nachrichten in vorhandenen Chats ergänzt: %2.</translation>
    </message>
    <message>
        <source>No telemetry, no account, and no network request but what you start: a search or download of a model, and chats with a server that you added. What you write and what a model on this computer answers stay in its data folder; the server here listens only when you switch it on.</source>
        <translation>Keine Telemetrie, kein Konto und keine Anfrage ans Netz außer denen, die Sie beginnen: Suche oder Download eines Modells und Chats mit einem Server, den Sie hinzugefügt haben. Was Sie schreiben und was ein Modell auf diesem Computer antwortet, bleibt in seinem Datenordner; der Server hier lauscht nur, wenn Sie ihn einschalten.</translation>
    </message>
    <message>
        <source>Chats of the backup that could not be read: %1.</source>
        <translation>Nicht lesbare Chats der Sicherung: %1.</translation>
    </message>
    <message>
        <source>Changes at once; whatever runs goes on</source>
        <translation>Wechselt sofort; was läuft, läuft weiter</translation>
    </message>
</context>
<context>
    <name>ShortcutRegistry</name>
    <message>
        <source>%1 alone is needed for writing</source>
        <translation>%1 allein wird zum Schreiben gebraucht</translation>
    </message>
    <message>
        <source>%1 is already “%2”</source>
        <translation>%1 ist schon „%2“</translation>
    </message>
</context>
<context>
    <name>ShortcutRow</name>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Keys of %1</source>
        <translation>Tasten für %1</translation>
    </message>
    <message>
        <source>Reset the keys of %1</source>
        <translation>Tasten für %1 zurücksetzen</translation>
    </message>
</context>
<context>
    <name>SlowText</name>
    <message>
        <source>A prompt changed at token %1 (%2 became %3): %4 of its %5 tokens are read again.</source>
        <translation>Ein Prompt hat sich beim Token %1 geändert (%2 wurde %3): %4 seiner %5 Token werden neu gelesen.</translation>
    </message>
    <message>
        <source>%1 of %2 tokens of a prompt are read again: their blocks went to other requests.</source>
        <translation>%1 von %2 Token eines Prompts werden neu gelesen: ihre Blöcke gingen an andere Anfragen.</translation>
    </message>
    <message>
        <source>%1 of %2 tokens of a prompt are read again: they are cached for another %3.</source>
        <translation>%1 von %2 Token eines Prompts werden neu gelesen: sie sind für einen anderen Kontext gespeichert (%3).</translation>
    </message>
    <message>
        <source>The KV cache is too small: preempted %1 times in the last 10 s, those tokens are computed again.</source>
        <translation>Der KV-Cache ist zu klein: %1-mal verdrängt in den letzten 10 s, diese Token werden neu berechnet.</translation>
    </message>
    <message>
        <source>Requests waiting: %1. All %2 places are taken.</source>
        <translation>Wartende Anfragen: %1. Alle %2 Plätze sind belegt.</translation>
    </message>
    <message>
        <source>Requests waiting for KV blocks: %1. %2 of %3 blocks are free.</source>
        <translation>Anfragen, die auf KV-Blöcke warten: %1. Frei sind %2 von %3 Blöcken.</translation>
    </message>
    <message>
        <source>A prompt is read beside %1 running answers: %2 of its tokens are left.</source>
        <translation>Neben laufenden Antworten (%1) wird ein Prompt gelesen: %2 seiner Token fehlen noch.</translation>
    </message>
    <message>
        <source>%1 of each step is spent outside the model.</source>
        <translation>%1 jedes Schritts vergehen außerhalb des Modells.</translation>
    </message>
    <message>
        <source>The CPU computes. %1.</source>
        <translation>Die CPU rechnet. %1.</translation>
    </message>
    <message>
        <source>%1 answers share %2 tokens per second: about %3 each.</source>
        <translation>%1 Antworten teilen sich %2 Token pro Sekunde: etwa %3 für jede.</translation>
    </message>
    <message>
        <source>%1 of %2 layers run on the CPU, and every step waits for them.</source>
        <translation>%1 von %2 Schichten laufen auf der CPU, und jeder Schritt wartet auf sie.</translation>
    </message>
    <message>
        <source>The KV cache is too small: preempted once in the last 10 s, those tokens are computed again.</source>
        <translation>Der KV-Cache ist zu klein: in den letzten 10 s einmal verdrängt, diese Token werden neu gerechnet.</translation>
    </message>
</context>
<context>
    <name>StepTableModel</name>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Age s</source>
        <translation>Alter s</translation>
    </message>
    <message>
        <source>Prefill tok</source>
        <translation>Eingelesen</translation>
    </message>
    <message>
        <source>Decode + draft</source>
        <translation>Erzeugt + Entwurf</translation>
    </message>
    <message>
        <source>Emitted</source>
        <translation>Ausgegeben</translation>
    </message>
    <message>
        <source>Blocks taken</source>
        <translation>Genommen</translation>
    </message>
    <message>
        <source>Freed</source>
        <translation>Freigegeben</translation>
    </message>
    <message>
        <source>Evicted</source>
        <translation>Verdrängt</translation>
    </message>
    <message>
        <source>Host ms</source>
        <translation>Host ms</translation>
    </message>
    <message>
        <source>Device ms</source>
        <translation>Gerät ms</translation>
    </message>
</context>
<context>
    <name>StoreText</name>
    <message>
        <source>%1: the folder cannot be made</source>
        <translation>%1: Der Ordner lässt sich nicht anlegen</translation>
    </message>
    <message>
        <source>It is no backup of Vitrine: &quot;vitrine_backup&quot;: 1 is missing. A single chat comes in by Import chats.</source>
        <translation>Es ist keine Sicherung von Vitrine: &quot;vitrine_backup&quot;: 1 fehlt. Ein einzelner Chat kommt über „Chats importieren“ herein.</translation>
    </message>
    <message>
        <source>None of its %1 chats can be read. Use an older backup.</source>
        <translation>Keiner ihrer %1 Chats ist lesbar. Nehmen Sie eine ältere Sicherung.</translation>
    </message>
    <message>
        <source>%1 can be read, but not written</source>
        <translation>%1 lässt sich lesen, aber nicht schreiben</translation>
    </message>
    <message>
        <source>the chat database is not open</source>
        <translation>die Chat-Datenbank ist nicht offen</translation>
    </message>
    <message>
        <source>It is no chat that Vitrine exported: &quot;vitrine_chat&quot;: 1 is missing.</source>
        <translation>Es ist kein von Vitrine exportierter Chat: &quot;vitrine_chat&quot;: 1 fehlt.</translation>
    </message>
    <message>
        <source>It is a backup of all chats: restore it under Settings, Storage.</source>
        <translation>Es ist eine Sicherung aller Chats: Stellen Sie sie unter Einstellungen, Speicher wieder her.</translation>
    </message>
    <message>
        <source>It holds no conversation: choose a chat that Vitrine exported, or the conversations.json of ChatGPT.</source>
        <translation>Sie enthält kein Gespräch: Wählen Sie einen von Vitrine exportierten Chat oder die conversations.json von ChatGPT.</translation>
    </message>
    <message>
        <source>%1 has version %2, this Vitrine reads up to %3: start the newer Vitrine, or move the file away</source>
        <translation>%1 hat Version %2, dieses Vitrine liest bis %3: Starten Sie das neuere Vitrine, oder verschieben Sie die Datei</translation>
    </message>
    <message>
        <source>It is no JSON from byte %1 of %2 on: %3. Export it again, or mend the file there.</source>
        <translation>Ab Byte %1 von %2 ist es kein JSON mehr: %3. Exportieren Sie noch einmal, oder berichtigen Sie die Datei dort.</translation>
    </message>
</context>
<context>
    <name>TimeAxis</name>
    <message>
        <source>Time axis</source>
        <translation>Zeitachse</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>end</source>
        <translation>Ende</translation>
    </message>
</context>
<context>
    <name>TokenList</name>
    <message>
        <source>Tokens of the last answer</source>
        <translation>Token der letzten Antwort</translation>
    </message>
</context>
<context>
    <name>Turn</name>
    <message>
        <source>%1 tok</source>
        <translation>%1 Tok</translation>
    </message>
    <message>
        <source>%1 tok/s</source>
        <translation>%1 Tok/s</translation>
    </message>
    <message>
        <source>first %1 s</source>
        <translation>erstes nach %1 s</translation>
    </message>
    <message>
        <source>%1 accepted/step</source>
        <translation>%1 angenommen/Schritt</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>interrupted, text recovered</source>
        <translation>unterbrochen, Text gerettet</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>length limit reached</source>
        <translation>Längengrenze erreicht</translation>
    </message>
    <message>
        <source>%1 of %2 prompt tokens from cache</source>
        <translation>%1 von %2 Prompt-Token aus dem Cache</translation>
    </message>
    <message>
        <source>saving</source>
        <translation>wird gespeichert</translation>
    </message>
    <message>
        <source>waiting for the model to load</source>
        <translation>wartet auf das Laden des Modells</translation>
    </message>
    <message>
        <source>queued, %1 ahead</source>
        <translation>wartet, %1 davor</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>liest</translation>
    </message>
    <message>
        <source>reading %1 of %2 tokens, %3 reused</source>
        <translation>liest %1 von %2 Token, %3 wiederverwendet</translation>
    </message>
    <message>
        <source>reading %1 of %2 tokens</source>
        <translation>liest %1 von %2 Token</translation>
    </message>
    <message>
        <source>Thinking · %1 s</source>
        <translation>Denkt nach · %1 s</translation>
    </message>
    <message>
        <source>Thought for %1 s</source>
        <translation>%1 s nachgedacht</translation>
    </message>
    <message>
        <source>Thought</source>
        <translation>Nachgedacht</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
</context>
<context>
    <name>TurnActions</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Edit as a new branch</source>
        <translation>Als neuen Zweig bearbeiten</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Neu erzeugen</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Previous branch</source>
        <translation>Voriger Zweig</translation>
    </message>
    <message>
        <source>Next branch</source>
        <translation>Nächster Zweig</translation>
    </message>
    <message>
        <source>More actions for this answer</source>
        <translation>Weitere Aktionen für diese Antwort</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>Als Markdown kopieren</translation>
    </message>
    <message>
        <source>Show exact prompt</source>
        <translation>Genauen Prompt zeigen</translation>
    </message>
    <message>
        <source>More actions for this message</source>
        <translation>Mehr zu dieser Nachricht</translation>
    </message>
    <message>
        <source>Delete from here</source>
        <translation>Ab hier löschen</translation>
    </message>
</context>
<context>
    <name>TurnInspector</name>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>This turn</source>
        <translation>Diese Antwort</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>System prompt of this chat</source>
        <translation>Systemprompt dieses Chats</translation>
    </message>
    <message>
        <source>None: the template&apos;s own, if it has one</source>
        <translation>Keiner: der eigene der Vorlage, falls sie einen hat</translation>
    </message>
    <message>
        <source>Exact prompt of the last request</source>
        <translation>Genauer Prompt der letzten Anfrage</translation>
    </message>
    <message>
        <source>Shown after the next answer</source>
        <translation>Erscheint nach der nächsten Antwort</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitverlauf</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>Tok/s</translation>
    </message>
    <message>
        <source>Accepted per step</source>
        <translation>Angenommen je Schritt</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>accepted draft underlined</source>
        <translation>angenommener Entwurf unterstrichen</translation>
    </message>
    <message>
        <source>Show in Engine</source>
        <translation>In Engine zeigen</translation>
    </message>
    <message>
        <source>request %1</source>
        <translation>Anfrage %1</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>Spitze %1</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>Back to the chat</source>
        <translation>Zurück zum Chat</translation>
    </message>
</context>
<context>
    <name>TurnLayout</name>
    <message>
        <source>… %1 characters not shown; Copy takes them all …</source>
        <translation>… %1 Zeichen nicht gezeigt; Kopieren nimmt alle …</translation>
    </message>
</context>
<context>
    <name>TurnTimeline</name>
    <message>
        <source>Queued</source>
        <translation>Wartend</translation>
    </message>
    <message>
        <source>Reused</source>
        <translation>Wiederverwendet</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Gelesen</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>Nachdenken</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Timeline: %1</source>
        <translation>Zeitverlauf: %1</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 tok</source>
        <translation>%1 Tok</translation>
    </message>
</context>
<context>
    <name>UndoBar</name>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Ctrl+Z</source>
        <translation>Strg+Z</translation>
    </message>
</context>
<context>
    <name>numbers</name>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 min %2 s</translation>
    </message>
</context>
</TS>
