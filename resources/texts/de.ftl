# Was das Fenster auf Deutsch sagt. Es spricht die Leserin und den Leser mit Du an und bleibt kurz.

## Words of many places

action-cancel = Abbrechen
action-close = Schließen

## The first start. Each language is called in its own words, for those who cannot read the others

first-welcome-title = Willkommen bei Hearth
first-welcome-text = Hearth antwortet mit Modellen, die auf diesem Rechner laufen. Deine Chats bleiben hier, und nichts wird verschickt.
first-look-title = Wie es aussieht
first-model-title = Dein erstes Modell
first-model-starter = { $model } kam mit Hearth. Es ist klein, braucht kein Netz und antwortet, sobald Du etwas fragst. Größere Modelle können folgen, wann immer Du magst.
first-model-own = Dein Modell läuft auf diesem Rechner und antwortet, sobald Du etwas fragst.
first-count = { $step } von { $steps }
first-skip = Überspringen
first-back = Zurück
first-next = Weiter
first-begin = Loslegen
language-english = English
language-german = Deutsch

## Settings

settings-title = Einstellungen
settings-general = Allgemein
settings-shortcuts = Tastenkürzel
settings-about = Über Hearth
settings-appearance = Darstellung
settings-theme = Farbschema
settings-theme-system = System
settings-theme-light = Hell
settings-theme-dark = Dunkel
settings-accent = Akzentfarbe
settings-accent-ember = Glut
settings-accent-moss = Moos
settings-accent-lake = See
settings-accent-iris = Iris
settings-accent-rose = Rose
settings-language = Sprache
settings-language-hint = Gilt sofort
settings-language-system = System
settings-text-size = Schriftgröße
settings-text-size-hint = Nachrichten und Code
settings-text-size-small = Klein
settings-text-size-default = Normal
settings-text-size-large = Groß
settings-density = Dichte
settings-density-hint = Abstand der Zeilen in Listen und Einstellungen
settings-density-comfortable = Bequem
settings-density-compact = Kompakt
settings-zoom = Zoom
settings-zoom-hint = Das ganze Fenster
settings-zoom-smaller = Kleiner
settings-zoom-larger = Größer
zoom-value = { $percent } %
settings-data = Daten
settings-data-chats = Chats und Einstellungen
settings-data-models = Modelle
settings-version = Version

## The rail

rail-chat = Chat
rail-discover = Entdecken
rail-models = Meine Modelle
rail-server = Server
rail-downloads = Downloads
rail-settings = Einstellungen

## Shortcuts and keys

settings-shortcuts-hint = Klick die Tasten einer Aktion an und drück dann andere.
settings-shortcut-reset = Übliche Tasten
settings-shortcut-reset-all = Alle zurücksetzen
shortcut-press = Tasten drücken. Esc bricht ab, Entf löscht
shortcut-none = Keine
shortcut-taken = { $keys } gehört schon zu „{ $other }“. Gib dem zuerst andere Tasten.
shortcut-fault-types = Mit diesen Tasten schreibt man. Nimm Strg, Cmd oder Alt dazu.
shortcut-fault-edits = Diese Tasten brauchen die Textfelder.
shortcut-palette = Befehlspalette öffnen
shortcut-search = Auf dieser Seite oder in den Chats suchen
shortcut-new-chat = Neuer Chat
shortcut-rename = Umbenennen
shortcut-chat-above = Vorheriger Chat
shortcut-chat-below = Nächster Chat
shortcut-regenerate = Antwort neu erzeugen
shortcut-older-version = Vorherige Fassung der Antwort
shortcut-newer-version = Nächste Fassung der Antwort
shortcut-copy-answer = Letzte Antwort kopieren
shortcut-insert = Nachricht ohne Antwort anfügen
shortcut-pick-model = Modell wählen
shortcut-eject = Modell auswerfen
shortcut-show-panel = Chat-Einstellungen
shortcut-show-chat = Chats zeigen
shortcut-show-discover = Entdecken zeigen
shortcut-show-models = Meine Modelle zeigen
shortcut-show-server = Server zeigen
shortcut-show-downloads = Downloads zeigen
shortcut-show-settings = Einstellungen zeigen
shortcut-next-pane = Nächster Teil des Fensters
shortcut-pane-before = Voriger Teil des Fensters
shortcut-zoom-in = Größer
shortcut-zoom-out = Kleiner
shortcut-zoom-usual = Übliche Größe
key-control = Strg
key-command = Cmd
key-alt = Alt
key-option = Option
key-shift = Umschalt
key-left = Links
key-right = Rechts
key-up = Hoch
key-down = Runter
key-home = Pos1
key-end = Ende
key-page-up = Bild auf
key-page-down = Bild ab
key-enter = Enter
key-space = Leertaste
key-delete = Entf
key-backspace = Rücktaste

## Menus, questions and the palette

palette-commands = Befehle
palette-models = Modelle
palette-chats = Chats
command-load = { $model } laden
command-new-folder = Neuer Ordner
command-import = Chats importieren
command-eject = { $model } auswerfen
command-light-theme = Helles Farbschema
command-dark-theme = Dunkles Farbschema
command-zoom-in = Vergrößern
command-zoom-out = Verkleinern
command-zoom-usual = Zoom zurücksetzen
key-escape = Esc
command-first-start = Begrüßung noch einmal zeigen
command-stop = Antwort anhalten
command-continue = Antwort fortsetzen
command-pin = Diesen Chat anheften
command-unpin = Diesen Chat lösen
command-rename = Diesen Chat umbenennen
command-duplicate = Diesen Chat duplizieren
command-export-markdown = Diesen Chat als Markdown exportieren
command-export-json = Diesen Chat als JSON exportieren
command-delete = Diesen Chat löschen
command-attach = Datei anhängen
command-select-text = Text der letzten Antwort auswählen
command-edit-last = Deine letzte Nachricht bearbeiten
menu-as-markdown = Als Markdown, zum Lesen
menu-as-json = Als JSON, zum Wiedereinlesen
menu-rename = Umbenennen
menu-delete = Löschen
menu-send = Senden
menu-add-message = Ohne Antwort anfügen
menu-add-answer = Als Antwort anfügen
menu-unpin = Lösen
menu-pin = Anheften
menu-move = In Ordner verschieben
menu-duplicate = Duplizieren
action-export = Exportieren
menu-no-folder = Kein Ordner
menu-copy-markdown = Als Markdown kopieren
menu-copy-plain = Als reinen Text kopieren
menu-select-text = Text auswählen
menu-edit = Bearbeiten
menu-answer = Beantworten
menu-regenerate = Neu erzeugen
menu-continue = Fortsetzen
menu-branch = Von hier abzweigen
path-export-markdown-title = Als Markdown exportieren
path-export-json-title = Als JSON exportieren
path-import-title = Chats importieren
path-export-preset-title = Vorlage exportieren
path-import-preset-title = Vorlage importieren
path-attach-title = Datei anhängen
path-export-markdown-text = Die Nachrichten, die zu sehen sind, zum Lesen. Eine Datei, die schon da ist, bleibt, wie sie ist.
path-export-json-text = Alle Fassungen aller Nachrichten, zum Wiedereinlesen. Eine Datei, die schon da ist, bleibt, wie sie ist.
path-import-text = Aus einer Datei, die Hearth, ChatGPT oder LM Studio exportiert hat.
path-export-preset-text = Die Vorlage mit allem, was sie festlegt, zum Einlesen anderswo. Eine Datei, die schon da ist, bleibt, wie sie ist.
path-import-preset-text = Aus einer Datei, die Hearth exportiert hat.
path-attach-text = Eine Datei mit Text, etwa Notizen, Code oder CSV. Das Modell liest sie vor Deiner Nachricht.
action-import = Importieren
action-attach = Anhängen
path-missing = Gib den Pfad einer Datei ein oder wähl eine aus.
link-open-title = Diesen Link öffnen?
link-never-title = Dieser Link lässt sich nicht öffnen
link-open-text = Er führt zu keiner Webseite: Ein anderes Programm öffnet ihn oder eine Datei auf diesem Rechner.
link-never-text = Seine Adresse gibt Hearth an kein anderes Programm weiter. Du kannst sie kopieren.
link-copy = Adresse kopieren
action-open = Öffnen
text-view-message = Deine Nachricht
text-view-answer = Die Antwort
text-view-hint = Wähl aus, was Du brauchst, und kopier es
path-empty = Pfad der Datei
path-browse = Durchsuchen
palette-empty = Befehle, Modelle und Chats suchen
palette-nothing = Nichts gefunden
palette-move = Hoch und Runter wählen
palette-run = Enter führt aus
palette-signs = > nur Befehle, @ nur Chats, # nur Modelle
action-eject = Auswerfen
picker-empty-title = Noch keine Modelle
picker-empty-text = Leg eine GGUF-Datei in den Modellordner. Wo er ist, steht in den Einstellungen.
picker-words = Deine Modelle durchsuchen
picker-no-match-title = Kein Modell passt
picker-no-match-text = Versuch es mit einem Teil des Namens oder der Quantisierung.
ability-vision = Sehen
ability-tools = Werkzeuge
ability-reasoning = Denken
ability-embedding = Einbetten

## Days, lists, models, and what went right or wrong

date-today = Heute
date-yesterday = Gestern
date-last-week = Letzte Woche
date-earlier = Früher
date-weekday = { $weekday ->
     [1] Mo
     [2] Di
     [3] Mi
     [4] Do
     [5] Fr
     [6] Sa
    *[7] So
    }
date-month = { $month ->
     [1] Januar
     [2] Februar
     [3] März
     [4] April
     [5] Mai
     [6] Juni
     [7] Juli
     [8] August
     [9] September
     [10] Oktober
     [11] November
    *[12] Dezember
    }
date-month-and-year = { $month ->
     [1] Januar
     [2] Februar
     [3] März
     [4] April
     [5] Mai
     [6] Juni
     [7] Juli
     [8] August
     [9] September
     [10] Oktober
     [11] November
    *[12] Dezember
    } { $year }
date-day = { $day }. { $month ->
     [1] Jan.
     [2] Feb.
     [3] März
     [4] Apr.
     [5] Mai
     [6] Juni
     [7] Juli
     [8] Aug.
     [9] Sept.
     [10] Okt.
     [11] Nov.
    *[12] Dez.
    }
date-day-and-year = { $day }. { $month ->
     [1] Jan.
     [2] Feb.
     [3] März
     [4] Apr.
     [5] Mai
     [6] Juni
     [7] Juli
     [8] Aug.
     [9] Sept.
     [10] Okt.
     [11] Nov.
    *[12] Dez.
    } { $year }
list-pinned = Angeheftet
list-folders = Ordner
search-titles = Titel
search-messages = Nachrichten
picker-loaded = Geladen
picker-here = Auf diesem Rechner
picker-loading = Wird geladen
load-cancelling = { $model } wird abgebrochen
load-loading = { $model } wird geladen
header-cancelling = Wird abgebrochen
header-loading = Lädt, { $share }
header-loaded = Geladen, { $size }
header-generating = Schreibt
header-ejecting = Wird ausgeworfen
header-failed = Nicht geladen
header-choose = Modell wählen
header-nothing-loaded = Keins geladen
header-loading-model = Ein Modell lädt
header-reading = Liest die Eingabe
failed-link = Der Link ging nicht auf
failed-read-settings = Die Einstellungen ließen sich nicht lesen
failed-write-settings = Die Einstellungen wurden nicht gespeichert
failed-keep-draft = Was Du tippst, wird nicht aufgehoben
failed-list-models = Deine Modelle ließen sich nicht auflisten
failed-anything = Das hat nicht geklappt
failed-delete-message = Die Nachricht wurde nicht gelöscht
failed-read-chats = Deine Chats ließen sich nicht lesen
failed-delete-chat = Der Chat wurde nicht gelöscht
failed-make-folder = Der Ordner wurde nicht angelegt
failed-rename-folder = Der Ordner wurde nicht umbenannt
failed-delete-folder = Der Ordner wurde nicht gelöscht
failed-read-draft = Was Du zuletzt getippt hast, ließ sich nicht lesen
failed-eject = Das Modell wurde nicht ausgeworfen
failed-engine = Die Rechenmaschine hat sich beendet
failed-server = Der Server meldet sich nicht mehr
failed-read-keys = Die API-Schlüssel ließen sich nicht lesen
failed-make-key = Der Schlüssel wurde nicht angelegt
failed-revoke-key = Der Schlüssel wurde nicht widerrufen
failed-send = Die Nachricht wurde nicht gesendet
failed-regenerate = Die Antwort wurde nicht neu erzeugt
failed-insert = Die Nachricht wurde nicht angefügt
failed-attach = Die Datei wurde nicht angehängt
failed-edit = Die Nachricht wurde nicht geändert
failed-version = Die andere Fassung wird nicht gezeigt
failed-rename-chat = Der Chat wurde nicht umbenannt
failed-pin-chat = Der Chat wurde nicht angeheftet oder gelöst
failed-move-chat = Der Chat wurde nicht verschoben
failed-duplicate-chat = Der Chat wurde nicht dupliziert
failed-branch-chat = Der Chat wurde nicht abgezweigt
failed-export = Der Chat wurde nicht exportiert
failed-import = Die Chats wurden nicht importiert
failed-store-answer-in = Die Antwort in „{ $chat }“ ist noch nicht gespeichert
failed-answer-in = Die Antwort in „{ $chat }“ brach ab
deleted-chat = Chat gelöscht
deleted-message = Nachricht gelöscht
failed-undo = Was gelöscht wurde, kam nicht zurück
action-undo = Rückgängig
action-show = Zeigen
confirm-delete-folder = Den Ordner „{ $folder }“ löschen?
confirm-delete-folder-text = { $chats ->
        [0] Es liegt kein Chat darin.
        [one] Der Chat darin bleibt, außerhalb des Ordners.
       *[other] Die { $chats } Chats darin bleiben, außerhalb des Ordners.
    }
confirm-delete-folder-button = Ordner löschen
done-exported = Chat exportiert
done-imported = { $chats ->
        [0] Keine neuen Chats
        [one] 1 Chat importiert
       *[other] { $chats } Chats importiert
    }
imported-known = { $chats ->
        [one] 1 war schon importiert und ist noch da.
       *[other] { $chats } waren schon importiert und sind noch da.
    }
imported-empty = { $chats ->
        [one] 1 enthält keine Nachricht.
       *[other] { $chats } enthalten keine Nachricht.
    }
failed-load = { $model } wurde nicht geladen

## The list of chats

list-title = Chats
list-search-empty = Chats durchsuchen
list-leave-search = Suche verlassen  Esc
list-empty-title = Noch keine Chats
list-empty-text = Chats, die Du beginnst, stehen hier.
list-stays-here = Chats bleiben auf diesem Rechner.
list-nothing-sent = Nichts wird irgendwohin gesendet.
action-more = Mehr
search-nothing-title = Kein Chat passt
search-nothing-text = Versuch ein anderes Wort.
search-clear = Suche leeren
search-failed = Die Suche ist gescheitert

## The conversation

tip-older-version = Vorherige Fassung
tip-newer-version = Nächste Fassung
action-copy = Kopieren
message-copied = Kopiert
composer-send = Senden  Enter
composer-stop = Anhalten  Esc
composer-remove-file = Datei entfernen
composer-tokens = { $tokens ->
     [one] { $count } Token
    *[other] { $count } Tokens
    }
conversation-newest = Neueste
edit-hint = Esc bricht ab
edit-save = Speichern
edit-save-and-answer = Speichern und beantworten
queue-remove = Nicht senden
action-try-again = Noch einmal versuchen
chat-unreadable = Dieser Chat ließ sich nicht lesen
composer-hint = Enter sendet  ·  Umschalt Enter beginnt eine neue Zeile
formula-copy = Formel als LaTeX kopieren
code-wrap = Umbrechen
greeting-look = Noch einmal nachsehen
list-folder-name = Name des Ordners
message-answer = Antwort

## An empty chat, the composer, and waiting

suggestion-tidy = Einen Absatz glätten
suggestion-tidy-hint = Text einfügen und Ton nennen
suggestion-tidy-draft = Glätte diesen Absatz in freundlichem Ton:
suggestion-explain = Code erklären
suggestion-explain-hint = Zeile für Zeile, in einfachen Worten
suggestion-explain-draft = Erkläre diesen Code Zeile für Zeile, in einfachen Worten:
suggestion-summarise = Einen Text zusammenfassen
suggestion-summarise-hint = Einfügen und die Hauptpunkte bekommen
suggestion-summarise-draft = Fasse diesen Text in drei Punkten zusammen:
suggestion-choose = Eine Wahl durchdenken
suggestion-choose-hint = Möglichkeiten und ihr Für und Wider
suggestion-choose-draft = Hilf mir bei der Entscheidung. Stell die Möglichkeiten und ihr Für und Wider dar:
composer-no-model = Wähl zuerst ein Modell
composer-read-only = Diese Chats lassen sich nur lesen
composer-no-storage = Chats lassen sich nicht speichern
composer-restart = Starte Hearth neu, damit es weitergeht
composer-next = Schreib schon die nächste Nachricht
composer-empty = Schreib eine Nachricht
greeting-missing-title = Es gibt noch kein Modell
greeting-missing-text = Leg eine Modelldatei, die auf .gguf endet, in { $folder } und sieh noch einmal nach.
greeting-loaded = { $model } ist geladen und läuft auf diesem Rechner.
greeting-starter = Ein kleines Startmodell läuft auf diesem Rechner. Es lädt mit Deiner ersten Nachricht.
greeting-model = Dein Modell läuft auf diesem Rechner. Es lädt mit Deiner ersten Nachricht.
greeting-title = Was möchtest Du fragen?
waiting-stopping = Hält an
waiting-model = Wartet auf das Modell
waiting-loading = Lädt das Modell
waiting-reading = Liest die Eingabe

## Failures, by what happened

error-not-yet = { $command } gibt es in dieser Version von Hearth noch nicht.
error-backend-gone = Hearths Hintergrunddienst hat angehalten. Starte Hearth neu; Chats und Downloads bleiben erhalten.
error-not-found = Nicht gefunden: { $what } „{ $name }“.
error-not-found-known = Nicht gefunden: { $what } „{ $name }“. Es gibt: { $known }.
error-no-model = Auf diesem Rechner gibt es noch kein Modell. Nenne eine GGUF-Datei mit ihrem Pfad oder leg eine in den Modellordner.
error-invalid = So geht es nicht: { $field } { $problem }.
error-bad-model-file = { $file } kann nicht geladen werden: { $reason }.
error-load-failed = Das Modell wurde nicht geladen: { $reason }.
error-memory-short = { $model } passt nicht in den Speicher: { $reason }.
error-worker-died = Die Engine ist ausgefallen ({ $during }): { $cause }. Von Deinen Chats ist nichts verloren; versuch es noch einmal.
error-context-overflow = Die Eingabe hat { $tokens } Token, und in den Kontext passen { $length }. Kürze sie, beginne einen neuen Chat oder lade das Modell mit größerem Kontext.
error-text-too-long = Text { $place } hat { $tokens } Token, und das Modell liest höchstens { $most }. Kürze ihn oder lass ihn abschneiden.
error-model-cannot = { $model } kann das nicht: { $problem }.
error-model-ejected = { $model } wurde ausgeworfen, bevor es fertig war. Frag noch einmal, dann wird es neu geladen.
error-template = Die Chat-Vorlage dieses Modells ist gescheitert: { $reason }.
error-busy = Gerade beschäftigt: { $what } ({ $reason }).
error-port-taken = Port { $port } ist von einem anderen Programm belegt. Wähle einen anderen.
error-port-taken-free = Port { $port } ist von einem anderen Programm belegt. Port { $free } ist frei.
error-server-stopped = Der Server wurde angehalten, bevor die Antwort fertig war.
error-cancelled = Abgebrochen.
error-storage = Die Datenbank der Chats: { $reason }.
error-newer-database = Diese Chats hat ein neueres Hearth geschrieben ({ $found }, dieses kennt { $known }). Sie können gelesen werden; aktualisiere Hearth, um weiterzuschreiben.
error-file = Bei { $path }: { $reason }.
error-offline = Dafür braucht es das Netz: { $what } ({ $reason }).
error-not-signed-in = Du bist beim Hub nicht angemeldet. Trag in den Einstellungen oder mit hearth-cli login ein Token ein.
error-token-needed = { $model } gibt es nicht ohne ein Token von Hugging Face: Der Zugang ist beschränkt oder privat, oder es gibt das Modell nicht. Trag in den Einstellungen oder mit hearth-cli login ein Token ein, oder prüfe den Namen.
error-token-refused = Der Hub nimmt Dein Token von Hugging Face nicht an: Es ist falsch, abgelaufen oder zurückgezogen. Erstelle ein neues auf { $page }.
error-no-access = Dein Token von Hugging Face hat keinen Zugang zu { $model }. Nimm die Lizenz an oder bitte um Zugang auf { $page }, dann versuch es noch einmal.
error-renamed = { $from } heißt jetzt { $to }. Verwende diesen Namen.
error-too-many-requests = Der Hub bittet um { $seconds } s Geduld: Es waren zu viele Anfragen.
error-hub-down = Der Hub ist nicht erreichbar: { $reason }. Beim nächsten Mal wird es wieder versucht.
error-disk-full = Die Festplatte ist voll: { $folder } braucht { $needs } mit etwas Reserve und hat { $has }. Schaff Platz, dann versuch es noch einmal; ein Download geht von selbst weiter.
error-transfer = Der Download von { $file } ist abgebrochen: { $reason }. Was schon da ist, bleibt; mach weiter, wenn das Netz besser ist.
error-wrong-hash = { $file } kam mit anderen Bytes an, als der Hub verspricht; deshalb wurde nichts behalten. Versuch es noch einmal; geschieht es wieder, verändert der Hub oder das Netz die Datei.
error-unconfirmed = { $file } gehört { $owner } und wird dort vielleicht gebraucht. Bestätige, dass die Datei trotzdem gelöscht werden darf.
error-other-hearth = Auf diesen Daten läuft schon ein Hearth: { $problem }.
error-internal = Hearth hat einen Fehler gemacht: { $reason }. Ein Bericht mit dem Protokoll hilft, ihn zu beheben.
banner-no-storage = Chats können nicht gespeichert werden. { $reason }

## Answers that ended, what they cost, and what stands beside them

failure-load = Das Modell wurde nicht geladen
failure-too-long = Der Chat ist zu lang
failure-not-stored = Die Antwort ist noch nicht gespeichert
failure-no-answer = Es gibt keine Antwort
failure-stopped = Die Antwort brach ab
failure-cut-off = Hearth wurde beendet, während sie entstand. Der bisherige Text bleibt.
stop-end-of-text = Ende des Textes
stop-string = Stopptext
stop-token-limit = Längengrenze
stop-context-full = Kontext voll
stop-tool-calls = Werkzeugaufruf
stop-by-person = von Dir angehalten
stop-ejected = Modell ausgeworfen
stop-failed = gescheitert
stats-stop = Ende: { $reason }
stats-first-token = erstes Token nach { $time }
stats-speed = { $speed } Token/s
number-seconds = { $seconds } s
number-tokens = { $count ->
     [one] { $number } Token
    *[other] { $number } Token
    }
number-part = { $part } von { $whole }
aside-thinking = Denkt nach
aside-thinking-for = Denkt seit { $time } nach
aside-thought-for = Hat { $time } nachgedacht
aside-thoughts = Gedanken
aside-used = Hat { $tool } benutzt
aside-asked-for = Möchte { $tool } benutzen
picture-unseen = Ein Bild, das nicht gezeigt werden kann. { $text }

## The panel beside the chat

panel-title = Chat-Einstellungen
panel-preset = Vorgabe
panel-preset-none = Keine Vorgabe
panel-preset-changed = { $preset }, geändert
panel-preset-name = Name der Vorgabe
panel-preset-save-as = Als Vorgabe speichern
panel-preset-no-name = Gib einen Namen ein.
panel-preset-taken = So heißt schon eine andere Vorgabe.
panel-preset-shipped = Sie kam mit Hearth und bleibt, wie sie ist; wähle einen anderen Namen.
panel-preset-replaces = Ersetzt „{ $preset }“.
panel-preset-bad-name = Dieser Name geht nicht: { $problem }.
panel-prompt = Systemanweisung
panel-prompt-empty = Anweisungen, die vor dem Chat stehen
panel-sampling = Wortwahl
panel-fine-sampling = Feinere Wortwahl
panel-length = Länge und Ende
panel-form = Form der Antwort
panel-thinking = Denken
panel-template = Chat-Vorlage
panel-reset = Zurücksetzen
panel-off = Aus
panel-on = An
panel-mirostat = Mirostat
panel-mirostat-1 = Version 1
panel-mirostat-2 = Version 2
panel-stops = Stopptexte
panel-stop-empty = Etwa ### oder \n\n
panel-policy = Wenn der Kontext voll ist
panel-policy-stop = Dort aufhören
panel-policy-rolling = Älteste Nachrichten weglassen
panel-policy-ends = Die Mitte weglassen
panel-as-model = Wie das Modell es hat
panel-thinking-as-model = Wie im Modell
panel-effort = Aufwand
panel-effort-low = Gering
panel-effort-medium = Mittel
panel-effort-high = Hoch
panel-arguments = Werte für die Chat-Vorlage des Modells, als JSON.
panel-arguments-empty = { "{" }"name": "wert"{ "}" }
panel-form-text = Beliebiger Text
panel-form-json = Beliebiges JSON-Objekt
panel-form-schema = JSON nach einem Schema
panel-form-regex = Ein regulärer Ausdruck
panel-form-grammar = Eine Grammatik (GBNF)
panel-make-default = Als Standard für { $model }
panel-forget-default = Diesen Standard vergessen
panel-reset-all = Einstellungen dieses Chats zurücksetzen
panel-note-model = Was dieser Chat nicht festlegt, ist so, wie Du es für { $model } gespeichert hast.
panel-note-settings = Was dieser Chat nicht festlegt, ist wie in den Einstellungen.
panel-note-no-model = Lade ein Modell, um Einstellungen für alle seine Chats zu behalten.
panel-back-to = Zurück zu { $usual }
problem-until-then = { $problem } Bis dahin: { $counts }.
problem-no-number = Gib eine Zahl von { $least } bis { $most } ein.
problem-no-whole-number = Gib eine ganze Zahl von { $least } bis { $most } ein.
problem-range = Möglich ist { $least } bis { $most }.
problem-empty = Solange hier nichts steht, wird nichts verlangt.
problem-no-object = Die Werte sind ein JSON-Objekt: Namen und Werte in geschweiften Klammern.
problem-json-end = Zeile { $line }, Spalte { $column }: Der Text endet vor dem JSON.
problem-json = Zeile { $line }, Spalte { $column }: { $why }.
failed-read-defaults = Die Standards des Modells konnten nicht gelesen werden
failed-write-defaults = Die Standards des Modells wurden nicht gespeichert
failed-keep-settings = Die Einstellungen des Chats werden nicht behalten
failed-list-presets = Deine Vorgaben konnten nicht aufgelistet werden
failed-save-preset = Die Vorgabe wurde nicht gespeichert
failed-rename-preset = Die Vorgabe wurde nicht umbenannt
failed-import-preset = Die Vorgabe wurde nicht importiert
failed-export-preset = Die Vorgabe wurde nicht exportiert
failed-delete-preset = Die Vorgabe wurde nicht gelöscht
done-imported-preset = Vorgabe importiert
done-imported-preset-text = Sie heißt „{ $preset }“.
done-exported-preset = Vorgabe exportiert
done-defaults-forgotten = Standards vergessen
done-defaults-forgotten-text = Chats, die nichts festlegen, antworten wie in den Einstellungen.
done-defaults-saved = Standards gespeichert
done-defaults-saved-text = Chats mit diesem Modell, die nichts festlegen, verwenden sie.
deleted-preset = Vorgabe gelöscht

## The numbers of the panel: what each is called, and what it does

number-temperature = Temperatur
number-temperature-help = Höher überrascht mehr, 0 nimmt das wahrscheinlichste Wort
number-top-p = Top-p
number-top-p-help = Lässt die unwahrscheinlichen Wörter am Ende weg; 1 behält alle
number-top-k = Top-k
number-top-k-help = Wählt unter so vielen Wörtern; 0 behält alle
number-min-p = Min-p
number-min-p-help = Lässt Wörter weg, die viel unwahrscheinlicher sind als das beste; 0 behält alle
number-repeat-penalty = Wiederholungsstrafe
number-repeat-penalty-help = Über 1 wiederholt es sich weniger
number-repeat-last = Strafen blicken zurück
number-repeat-last-help = Wie viele Token als wiederholt gelten; 0 schaltet Strafen aus
number-presence = Vorkommensstrafe
number-presence-help = Über 0 bevorzugt Wörter, die noch nicht fielen
number-frequency = Häufigkeitsstrafe
number-frequency-help = Über 0 meidet Wörter umso mehr, je öfter sie fielen
number-typical = Typical-p
number-typical-help = Behält Wörter, die wie üblich überraschen; 1 ist aus
number-top-n-sigma = Top-n-sigma
number-top-n-sigma-help = Behält Wörter, deren Wert nah am besten liegt; 0 ist aus
number-xtc-probability = XTC-Wahrscheinlichkeit
number-xtc-probability-help = Wie oft die wahrscheinlichsten Wörter entfallen; 0 ist aus
number-xtc-threshold = XTC-Schwelle
number-xtc-threshold-help = Nur wahrscheinlichere Wörter als dies entfallen
number-dry-multiplier = DRY-Stärke
number-dry-multiplier-help = Wie sehr wiederholte Wendungen gemieden werden; 0 ist aus
number-dry-base = DRY-Wachstum
number-dry-base-help = Wie schnell das mit der Länge der Wendung wächst
number-dry-allowed = DRY-Freilänge
number-dry-allowed-help = Wendungen bis zu so vielen Token dürfen sich wiederholen
number-dry-last = DRY blickt zurück
number-dry-last-help = In wie vielen Token nach Wendungen gesucht wird
number-dynamic-range = Bewegliche Temperatur
number-dynamic-range-help = Wie weit sich die Temperatur von selbst bewegen darf; 0 ist aus
number-dynamic-exponent = Beweglicher Exponent
number-dynamic-exponent-help = Wie sie sich bewegt, wo das Modell unsicher ist
number-mirostat-tau = Mirostat-Ziel
number-mirostat-tau-help = Wie überraschend der Text sein soll
number-mirostat-eta = Mirostat-Rate
number-mirostat-eta-help = Wie schnell er dort gehalten wird
number-seed = Startwert
number-seed-help = Derselbe Startwert wiederholt dieselbe Wahl
number-max-tokens = Höchstens Token
number-max-tokens-help = Die Antwort endet nach so vielen Token
number-thinking-budget = Denkbudget
number-thinking-budget-help = Danach endet der Gedanke, und die Antwort beginnt
number-empty-all = Alle
number-empty-random = Zufällig
number-empty-no-limit = Kein Limit

## The page that finds models

discover-title = Entdecken
discover-field = Modelle auf Hugging Face suchen oder Link einfügen
discover-clear-words = Suche leeren
discover-fits = Läuft hier
ability-code = Code
discover-size = Größe
discover-size-any = Jede Größe
discover-size-tiny = Bis 3 Mrd.
discover-size-small = 3 bis 9 Mrd.
discover-size-medium = 9 bis 35 Mrd.
discover-size-large = Über 35 Mrd.
discover-sort = Sortiert nach
discover-sort-best = Beste Treffer
discover-sort-downloads = Downloads
discover-sort-likes = Likes
discover-sort-trending = Im Trend
discover-sort-updated = Zuletzt geändert
discover-sort-created = Neueste
discover-sort-parameters = Größte
discover-sort-name = Name
discover-vram = { $size } VRAM
discover-ram = { $size } RAM
discover-picked = Hearths Auswahl zuerst
discover-found = Gefunden hier und auf Hugging Face
discover-asking = Fragt Hugging Face
discover-count = { $count ->
    [one] { $number } Modell
   *[other] { $number } Modelle
    }
discover-count-more = { $count ->
    [one] { $number } Modell und mehr
   *[other] { $number } Modelle und mehr
    }
discover-downloads = { $count ->
    [one] { $number } Download
   *[other] { $number } Downloads
    }
discover-as-of = Stand von Hugging Face: { $date }
discover-clear = Filter aufheben
discover-open-settings = Einstellungen öffnen
discover-nothing-title = Kein Modell passt
discover-nothing-text = Zu diesen Filtern gibt es nichts. Heb sie auf oder such nach einem kürzeren Namen.
discover-no-link-title = Dieser Link führt zu keinem Modell
discover-no-link-text = Füg die Adresse der Seite eines Modells ein oder tipp einen Teil seines Namens.
discover-offline-title = Der Offline-Modus ist an
discover-offline-text = Schalte ihn in den Einstellungen aus, um zu suchen und herunterzuladen.
discover-offline-known = Der Offline-Modus ist an. Diese Modelle sind hier bekannt.
discover-offline-details = Der Offline-Modus ist an. Das ist hier bekannt.
discover-down-title = Hugging Face ist nicht erreichbar
discover-choose-title = Wähl ein Modell
discover-choose-text = Hier stehen dann seine Dateien, was sie brauchen und ob sie auf diesen Rechner passen.
discover-back = Zurück zur Liste
discover-picked-tag = Von Hearth ausgewählt
discover-model-page = Seite des Modells
discover-gated-text = Der Zugang zu diesem Modell ist beschränkt. Nimm seine Lizenz auf Hugging Face an und trag dann Dein Token ein.
discover-licence-page = Seite der Lizenz öffnen
discover-add-token = Token eintragen
discover-author = Von
discover-licence = Lizenz
discover-parameters = Parameter
discover-context = Kontext
discover-likes = Likes
discover-monthly = Downloads in 30 Tagen
discover-updated = Geändert
discover-architecture = Architektur
discover-memory-for = Speicher für einen Kontext von
discover-memory-unknown = Wie viel Speicher sie braucht, ist nicht bekannt.
discover-needs = { $file } braucht { $total }: { $weights } für die Gewichte und { $context } für den Kontext.
discover-needs-rough = { $file } braucht etwa { $total }: { $weights } für die Gewichte und etwa { $context } für den Kontext.
discover-has = Modelle dürfen auf diesem Rechner { $memory } belegen.
discover-has-both = Modelle dürfen { $cards } auf der Grafikkarte und { $memory } des Arbeitsspeichers belegen.
discover-files-title = Dateien
discover-files = { $count ->
    [one] { $number } Datei
   *[other] { $number } Dateien
    }
discover-file = Datei
discover-file-size = Größe
discover-on-this-machine = Auf diesem Rechner
discover-recommended = Empfohlen
fit-gpu = Passt auf die GPU
fit-partly = Zum Teil
fit-cpu = Nur CPU
fit-too-large = Zu groß
discover-download = Herunterladen
discover-downloaded = Vorhanden
discover-failed = Fehler
discover-queued = Wartet
discover-verifying = Prüft
discover-paused = Pausiert
discover-pause = Download anhalten
discover-resume = Download fortsetzen
discover-retry = Download noch einmal versuchen
discover-part-missing = Teil { $part } davon fehlt auf Hugging Face.
discover-lacks-memory = Es fehlen { $size } Speicher.
discover-chat = Chat
discover-chat-file = Mit dieser Datei chatten
discover-get-and-chat = Herunterladen und chatten, { $size }
discover-chat-then = Chatten, sobald die Datei da ist
discover-chat-comes = Der Chat öffnet sich, sobald die Datei da ist
failed-edit-model = Der Favorit wurde nicht gespeichert
number-billions = { $number } Mrd.
number-millions = { $number } Mio.
number-millions-short = { $number } Mio.
number-thousands = { $number } Tsd.
number-per-second = { $size }/s

## The local server

server-title = Lokaler Server
server-starting = Startet
server-stopping = Hält an
server-running = Läuft
server-off = Aus
server-in-flight = { $count ->
     [one] { $number } Anfrage läuft
    *[other] { $number } Anfragen laufen
    }
server-connection = Verbindung
server-copy-address = Adresse kopieren
server-port = Port
server-bad-port = Ein Port ist eine Zahl von 1 bis 65 535.
server-use-port = { $port } nehmen
server-reach-here = Nur Programme auf diesem Rechner erreichen ihn.
server-reach-port = Andere Geräte nehmen die Adresse dieses Rechners mit Port { $port }.
server-reach-one = Andere Geräte nehmen { $address }.
server-reach-two = Andere Geräte nehmen { $address } oder { $other }.
server-network = Im lokalen Netz anbieten
server-network-help = Für andere Geräte, mit Schlüssel
server-keys-required = API-Schlüssel verlangen
server-keys-network = Immer, solange andere Geräte ihn erreichen
server-keys-on = Programme ohne Schlüssel werden abgewiesen
server-keys-any-page = Immer, solange jede Webseite anfragen darf
server-keys-off = Aus: alle Programme hier dürfen
server-cors = Browser-Apps (CORS)
server-cors-help = Nur genannte Seiten
server-origins = { $count ->
     [0] Keine Ursprünge
     [one] 1 Ursprung
    *[other] { $count } Ursprünge
    }
server-bad-origin = Ein Ursprung sieht aus wie https://chat.example.org oder ist * für jede Seite.
server-start-with = Mit Hearth starten
server-start-with-help = An, wann immer Hearth läuft
server-keys = API-Schlüssel
server-new-key = Neuer Schlüssel
server-key-first = Dafür braucht es einen API-Schlüssel, und es gibt noch keinen. Erstelle zuerst einen.
server-key-name = Wofür der Schlüssel ist, etwa Laptop
server-key-no-name = Sag, wofür der Schlüssel ist, etwa Laptop.
server-key-make = Schlüssel erstellen
server-key-made = Schlüssel für { $name }
server-key-copy-now = Kopiere ihn jetzt. Er wird nicht wieder gezeigt.
server-key-copy = Schlüssel kopieren
server-key-revoke = Zurückziehen
server-key-keep = Behalten
server-keys-note = Ein Schlüssel wird einmal gezeigt, wenn Du ihn erstellst.
server-keys-none = Noch keine Schlüssel. Ein Schlüssel wird einmal gezeigt, wenn Du ihn erstellst.
server-key-used = Benutzt { $when }
server-key-never-used = Nie benutzt
server-revoke-question = { $name } zurückziehen? Programme, die ihn benutzen, werden sofort abgewiesen.
server-revoke-last-network = { $name } zurückziehen? Programme, die ihn benutzen, werden sofort abgewiesen. Es ist der letzte Schlüssel: Andere Geräte erreichen ihn dann nicht mehr.
server-revoke-last = { $name } zurückziehen? Programme, die ihn benutzen, werden sofort abgewiesen. Es ist der letzte Schlüssel: Der Server hält an, bis Du einen neuen erstellst.
server-endpoints = Endpunkte
server-compatible = OpenAI-kompatibel
server-endpoint-models = Liste
server-endpoint-chat = Chat
server-endpoint-text = Text
server-endpoint-vectors = Vektoren
server-models = Geladene Modelle
server-models-none = Kein Modell ist geladen
server-model-busy = arbeitet
server-model-idle = ruht
server-stays = bleibt
server-goes = geht, sobald ungenutzt
server-goes-after = geht nach { $time } ohne Arbeit
server-stay = { $count ->
     [one] Ein Modell, das eine Anfrage lädt, geht nach 1 Minute ohne Arbeit.
    *[other] Ein Modell, das eine Anfrage lädt, geht nach { $number } Minuten ohne Arbeit.
    }
server-stay-for-ever = Ein Modell, das eine Anfrage lädt, bleibt, bis Du es auswirfst.
server-log = Protokoll
server-log-pause = Anhalten
server-log-follow = Folgen
server-log-copy = Zeilen kopieren
server-log-clear = Leeren
server-log-filter = Filtern
server-log-all = Alle
server-log-requests = Anfragen
server-log-warnings = Warnungen
server-log-errors = Fehler
server-log-lines = { $count ->
     [one] { $number } Zeile
    *[other] { $number } Zeilen
    }
server-log-shown = { $count ->
     [one] { $shown } von { $number } Zeile
    *[other] { $shown } von { $number } Zeilen
    }
server-log-left-out = { $count ->
     [one] { $number } Zeile kam zu schnell, um gezeigt zu werden
    *[other] { $number } Zeilen kamen zu schnell, um gezeigt zu werden
    }
action-add = Hinzufügen
action-remove = Entfernen
action-save = Speichern
action-done = Fertig

## The dialog that sets how a model is loaded

load-estimate = Geschätzter Speicher
load-used = Belegt
load-weights = Gewichte
load-context-memory = Kontext
load-working = Arbeitsspeicher fürs Rechnen
load-fine = Feinere Einstellungen
load-auto = Automatisch
load-on = An
load-off = Aus
load-flash = Flash Attention
load-flash-help = Schneller und braucht weniger Speicher
load-kv-k = K-Cache
load-kv-k-help = Genauigkeit der Schlüssel
load-kv-v = V-Cache
load-kv-v-help = Genauigkeit der Werte
load-mmap = Datei in den Speicher abbilden
load-mmap-help = Startet früher und liest von der Platte, was gebraucht wird
load-mlock = Im RAM behalten
load-mlock-help = Wird nie auf die Platte ausgelagert
load-speculation = Vorausraten
load-speculation-help = Schneller, wo die Antwort wiederholt, was im Chat steht
load-kv-on-cpu = Kontext im RAM halten
load-kv-on-cpu-help = Lässt die Grafikkarte den Gewichten; langsamer
load-devices = Geräte
load-devices-help = Namen mit Kommas dazwischen, etwa Vulkan0; leer für alle
load-split = Mehrere Karten
load-split-help = Wie das Modell auf sie verteilt wird
load-split-layer = Nach Schichten
load-split-row = Nach Zeilen
load-split-none = Eine Karte
load-shares = Anteil jeder Karte
load-shares-help = Zahlen mit Kommas dazwischen, etwa 3, 1; leer teilt nach freiem Speicher
load-rope = Positionen strecken (RoPE)
load-rope-help = Für einen längeren Kontext, als das Modell gelernt hat
load-rope-own = Wie das Modell
load-rope-none = Nicht
load-rope-linear = Linear
load-template = Chatvorlage
load-template-help = Jinja oder der Name einer eingebauten wie chatml; leer nimmt die des Modells
load-adapters = LoRA-Adapter
load-adapters-help = Ein Pfad je Zeile, mit der Stärke hinter „ * “, wenn sie nicht 1 ist
load-ends = Texte, die eine Antwort beenden
load-ends-help = Einer je Zeile; \n steht für einen Zeilenumbruch
load-remember = Für dieses Modell merken
load-reset = Zurücksetzen
load-anyway = Trotzdem laden
load-load = Modell laden
load-stop = Laden abbrechen
load-title = { $model } laden
load-fits = Passt
load-short = Passt nicht
load-reckoning = Wird berechnet
load-unknown = Nicht bekannt
load-ram = RAM
load-of-free = { $wanted } von { $free } frei
load-empty-auto = Auto
load-empty-own = Eigene
load-context = Kontextlänge
load-context-help = Token, die das Modell im Blick behält
load-context-picked = Automatisch: { $tokens }
load-context-most = Bis { $tokens } Token
load-gpu-layers = Schichten auf der GPU
load-gpu-layers-help = Schichten auf der Grafikkarte
load-gpu-layers-picked = Automatisch: { $layers } von { $all }
load-gpu-layers-most = Von { $all } insgesamt
load-threads = CPU-Threads
load-threads-help = Leer nimmt einen je Kern
load-slots = Antworten zugleich
load-slots-help = Sie teilen sich den Kontext
load-batch = Stapelgröße
load-batch-help = Token, die zugleich gelesen werden
load-micro-batch = Kleinstapelgröße
load-micro-batch-help = Token, die zugleich berechnet werden
load-moe-layers = Experten im RAM
load-moe-layers-help = Schichten einer Mischung von Experten
load-seed = Startwert
load-seed-help = Für Antworten ohne eigenen
load-rope-base = RoPE-Basis
load-rope-base-help = Grundfrequenz
load-rope-scale = RoPE-Faktor
load-rope-scale-help = Faktor der Frequenzen
load-yarn-context = Gelernter Kontext
load-yarn-context-help = Den YaRN streckt, in Token
load-shares-bad = Zahlen mit Kommas dazwischen eingeben, etwa 3, 1.
load-adapters-bad = Die Stärke hinter „ * “ ist eine Zahl, etwa 0,8.
action-set-load = Ladeeinstellungen
shortcut-set-load = Einstellen, wie ein Modell geladen wird
failed-read-load-options = Die Ladeeinstellungen ließen sich nicht lesen
failed-keep-load-options = Die Ladeeinstellungen wurden nicht gemerkt
command-set-load = Ladeeinstellungen von { $model }

## Downloads

downloads-title = Downloads
downloads-active = { $count } aktiv, { $speed }
downloads-paused = { $count } pausiert
downloads-limited = höchstens { $speed }
downloads-free = { $size } frei auf diesem Laufwerk
downloads-pause-all = Alle pausieren
downloads-resume-all = Alle fortsetzen
downloads-clear = Fertige entfernen
downloads-limits = Tempo und Anzahl
downloads-close = Schließen  Esc
downloads-limit = Höchstens { $speed }
downloads-no-limit = Kein Tempolimit
downloads-at-once = { $count ->
    [one] Einer nach dem anderen
   *[other] { $count } zugleich
    }
downloads-pause = Pausieren
downloads-resume = Fortsetzen
downloads-retry = Erneut versuchen
downloads-remove = Download entfernen
downloads-forget = Aus der Liste entfernen
downloads-open-page = Seite öffnen
downloads-use = Im Chat nutzen
downloads-show = Im Ordner zeigen
downloads-copy-name = Dateinamen kopieren
downloads-move-up = Nach oben
downloads-move-down = Nach unten
downloads-move-first = Ganz nach oben
downloads-move-last = Ganz nach unten
downloads-waiting = Wartet
downloads-left = noch { $time }
downloads-paused-at = Pausiert bei { $amount }
downloads-kept = { $amount } bleiben erhalten
downloads-size-unknown = Fragt den Hub
downloads-verifying = Prüft die Datei
downloads-verified = Geprüft
downloads-hash-matches = SHA-256 stimmt
downloads-no-hash = nicht geprüft, der Hub nannte kein SHA-256
downloads-empty-title = Noch keine Downloads
downloads-empty-text = Was Du herunterlädst, steht hier, und wie weit es ist.
downloads-offline-title = Der Offline-Modus ist an
downloads-offline-text = Schalte ihn in den Einstellungen aus, um Modelle herunterzuladen.
downloads-ready = { $model } ist bereit
downloads-stopped = { $model } wurde nicht heruntergeladen
confirm-remove-download = Den Download von { $model } entfernen?
confirm-remove-download-text = Er endet, und die { $amount }, die schon da sind, werden von diesem Rechner gelöscht.
confirm-remove-download-button = { $amount } löschen
command-pause-downloads = Alle Downloads pausieren
command-resume-downloads = Alle Downloads fortsetzen
failed-downloads = Die Liste der Downloads kam nicht
failed-download-start = Der Download von { $model } begann nicht
failed-download-change = Der Download wurde nicht geändert
failed-show-in-folder = Die Datei wurde nicht gezeigt
## The page of model files

my-models-title = Meine Modelle
my-models-filter = Nach Name oder Quant filtern
my-models-favourites = Nur Favoriten
my-models-import = Datei importieren
my-models-find = Modelle finden
my-models-none-title = Noch keine Modelle
my-models-none-text = Suche Modelle unter Entdecken, oder importiere eine GGUF-Datei.
my-models-looking = Modelle werden gesucht …
my-models-no-match = Kein Modell passt
my-models-clear = Filter leeren
my-models-select-none = Nichts auswählen
my-models-name = Name
my-models-publisher = Herausgeber
my-models-architecture = Architektur
my-models-parameters = Param.
my-models-quantisation = Quant
my-models-size = Größe
my-models-source = Quelle
my-models-used = Zuletzt
my-models-chat = Chat
my-models-damaged = Beschädigt
my-models-folders = Ordner
my-models-discover = In Entdecken zeigen
my-models-add-folder = Ordner hinzufügen
my-models-favourite = Favorit
my-models-no-favourite = Kein Favorit mehr
my-models-copy-path = Pfad kopieren
my-models-open-folder = Ordner öffnen
my-models-remove-folder = Aus der Liste nehmen
my-models-leave-out = Modelle weglassen
my-models-list-again = Modelle wieder zeigen
my-models-details = Einzelheiten
my-models-now = Jetzt
my-models-never = Nie
my-models-loaded = Geladen
my-models-loading = Lädt, { $share }
my-models-count = { $count ->
    [one] in { $number } Modell
   *[other] in { $number } Modellen
}
my-models-free = { $size } frei auf diesem Datenträger
my-models-leftovers = { $size } aufräumen
my-models-selected = { $count } ausgewählt, { $size }
my-models-delete-selected = { $count } löschen
my-models-folder-count = { $count ->
    [one] { $number } Modell
   *[other] { $number } Modelle
}
my-models-downloads-here = Hierhin wird geladen
my-models-imports-here = Hierhin wird importiert
my-models-your-folder = Dein Ordner
my-models-left-out = Weggelassen

source-starter = Hearth, Startmodell
source-hearth = Hearth
source-lm-studio = LM Studio
source-ollama = Ollama
source-jan = Jan
source-gpt4all = GPT4All
source-llama-cpp = llama.cpp
source-folder = Dein Ordner

details-about = Überblick
details-metadata = Metadaten
details-template = Vorlage
details-tensors = Tensoren
details-name = Anzeigename
details-tags = Schlagwörter, durch Kommas getrennt
details-notes = Notizen
details-template-text = Die Vorlage der Datei
details-sample-system = Beispielanweisung
details-sample-message = Beispielnachricht
details-preview = Was das Modell liest
details-repository = Repository
details-context = Kontext
details-written = Geschrieben
details-path = Pfad
details-has-template = Ja
details-no-template = Keine
details-reading = Die Datei wird gelesen …
sample-system = Du bist ein hilfreicher Assistent.
sample-message = Was ist die Hauptstadt von Italien?
preview-now = Laden und zeigen
preview-no-template = Diese Datei bringt keine Vorlage mit; mit ihr wird kein Chat geschrieben.
preview-runs = Das Modell schreibt sie …
preview-loads = Das Modell wird zuerst geladen …
preview-needs-memory = Das Modell schreibt die Vorschau selbst und muss dafür im Speicher sein.
failed-read-records = Die Notizen sind nicht lesbar
failed-write-notes = Die Notizen wurden nicht behalten

import-model-title = Modell importieren
import-model-text = Eine GGUF-Datei; bei mehreren Teilen steht ein beliebiger für alle.
import-copy = Kopieren
import-copy-help = Die Datei bleibt, wo sie ist. Belegt ihre Größe noch einmal.
import-move = Verschieben
import-move-help = Die Datei kommt von ihrem Platz in den Ordner von Hearth.
import-link = Verknüpfen
import-link-help = Die Datei bleibt, wo sie ist; Hearths Ordner führt dorthin.
import-hard-link = Zweiter Name
import-hard-link-help = Ein Hardlink auf demselben Datenträger. Jeder lässt sich allein löschen.
import-runs = { $name } wird importiert
failed-import-model = { $name } wurde nicht importiert
done-import = { $name } wurde importiert


delete-model-title = { $name } löschen?
delete-models-title = { $count } Modelle löschen?
delete-from-hearth = { $count ->
    [one] Das entfernt ein Modell aus dem Ordner von Hearth.
   *[other] Das entfernt { $count } Modelle aus dem Ordner von Hearth.
}
delete-starter = { $count ->
    [one] Ein Modell kam mit Hearth und kommt wieder, wenn Hearth neu installiert wird.
   *[other] { $count } Modelle kamen mit Hearth und kommen wieder, wenn Hearth neu installiert wird.
}
delete-from-folder = { $count ->
    [one] Ein Modell wird aus einem Deiner Ordner entfernt.
   *[other] { $count } Modelle werden aus Deinen Ordnern entfernt.
}
delete-from-program = { $count ->
    [one] Ein Modell gehört { $owner } und fehlt dann auch dort.
   *[other] { $count } Modelle gehören { $owner } und fehlen dann auch dort.
}
delete-loaded = { $count ->
    [one] Es verlässt zuerst den Speicher.
   *[other] { $count } davon verlassen zuerst den Speicher.
}
delete-stays = Namen und Ladeeinstellungen gehen mit; Chats bleiben. Das lässt sich nicht rückgängig machen.
delete-do = { $size } löschen
done-delete-model = { $name } wurde gelöscht
done-delete-models = { $count } Modelle wurden gelöscht
failed-delete-model = { $name } wurde nicht gelöscht

clean-up-title = Aufräumen
clean-up-looking = Dateien werden gesucht, die niemand mehr braucht …
clean-up-nothing = Nichts liegt herum. Alle Dateien werden gebraucht.
clean-up-text = Diese Dateien braucht niemand mehr. Was angekreuzt ist, wird endgültig entfernt; was andere Programme hinterlassen haben, nur, wenn Du es ankreuzt.
clean-up-do = { $count } entfernen, { $size }
leftover-partial = Teil eines Downloads oder Imports
leftover-orphan = Bytes, die kein Modell braucht
leftover-link = Eine Verknüpfung, die nirgendwohin führt
failed-clean-up = Nichts wurde aufgeräumt
failed-clean-up-some = { $count ->
    [one] Eine Datei bleibt
   *[other] { $count } Dateien bleiben
}
done-clean-up = { $size } sind wieder frei
done-clean-up-count = { $count ->
    [one] Eine Datei wurde entfernt.
   *[other] { $count } Dateien wurden entfernt.
}

command-import-model = Modelldatei importieren
command-add-folder = Ordner mit Modellen hinzufügen
command-clean-up = Übrige Dateien aufräumen
## Die Teile der Einstellungen

setting-reset = Zurück zum Standard
settings-first-steps = Erste Schritte
settings-first-steps-hint = Was Hearth beim ersten Öffnen zeigt
settings-models = Modelle
settings-model-folders = Modellordner
settings-folder-remove = Dort nicht mehr nach Modellen suchen
settings-downloads-go-here = Ziel für Downloads
settings-downloads = Downloads
settings-network-part = Hub & Netzwerk
command-settings-part = Einstellungen: { $part }
settings-hub = Hugging Face
settings-token = Zugangstoken
settings-token-hint = Nur für Modelle mit Zugangsbeschränkung nötig. Liegt im Schlüsselbund des Systems, wo es einen gibt.
settings-token-empty = hf_…
settings-signed-in = Angemeldet als
settings-sign-out = Token vergessen
settings-network = Netzwerk
settings-hardware = Hardware
settings-check-again = Neu prüfen
settings-memory = Speicher
settings-kept = Auf der Festplatte aufbewahrt
settings-kept-now = Jetzt belegt
settings-kept-now-hint = Beim Leeren geht keine Nachricht verloren; Chats werden neu gelesen
settings-kept-empty = Leeren
settings-loading = Laden von Modellen
settings-loading-hint = Wenn ein Modell nichts Eigenes hat
settings-answers = Antworten
settings-answers-hint = Wenn Chat und Modell nichts anderes sagen
settings-data-place = Wo sie liegen
settings-data-open = Ordner öffnen
settings-data-move = Alle Daten verschieben
settings-data-move-button = Verschieben …
settings-data-move-hint = Hearth schließt sich, verschiebt sie und öffnet sich wieder. Sie sind jederzeit an einem Ort vollständig.
settings-data-all = Alles auf einmal
settings-export-all = Alle Chats exportieren
settings-export-all-hint = Eine Datei mit allen Fassungen aller Nachrichten, die wieder importiert werden kann
settings-import = Chats importieren
settings-import-hint = Von Hearth, ChatGPT oder LM Studio; nichts wird verdoppelt oder überschrieben
settings-delete-all = Alles löschen
settings-delete-all-hint = Chats, Vorlagen, Einstellungen, Schlüssel, Protokolle und dein Token. Modelldateien bleiben.
settings-delete-all-button = Löschen…
settings-privacy = Datenschutz

setting-automatic = Automatisch
setting-download-place = Ort für Downloads
setting-download-place-help = Den Hugging-Face-Cache nutzen auch andere Programme
setting-download-place-cache = Gemeinsamer Cache
setting-download-place-folder = Ordner von Hearth
setting-downloads-at-once = Gleichzeitige Downloads
setting-downloads-at-once-help = Die anderen warten
setting-speed-limit = Höchste Geschwindigkeit
setting-speed-limit-help = Für alle Downloads zusammen
setting-offline = Offline arbeiten
setting-offline-help = Es wird keine Verbindung geöffnet. Chats und Modelle auf diesem Rechner gehen weiter.
setting-mirror = Adresse des Hubs
setting-mirror-help = Ein Spiegel an Stelle von huggingface.co
setting-mirror-empty = https://huggingface.co
setting-proxy = Proxy
setting-proxy-help = Für alle Verbindungen
setting-proxy-empty = Wie im System
setting-guard = Speicherschutz
setting-guard-help = Wie viel vom Speicher des Rechners Modelle nehmen dürfen
setting-guard-off = Aus
setting-guard-relaxed = 95 %
setting-guard-balanced = 85 %
setting-guard-strict = 70 %
setting-guard-limit = Feste Grenze
setting-guard-limit-help = An Stelle eines Anteils, was auch immer andere Programme frei lassen
setting-guard-limit-empty = Keine
setting-idle = Untätige Modelle entladen
setting-idle-help = Auf Anfrage geladene Modelle; von Hand geladene bleiben
setting-idle-empty = Nie
setting-kv-limit = Platz für Zustände von Chats
setting-kv-limit-help = Damit der Chat von gestern weitergeht, ohne neu gelesen zu werden; 0 bewahrt keine auf
setting-context = Kontextlänge
setting-context-help = Worauf ein Modell zurückblicken kann
setting-gpu-layers = Schichten auf der Grafikkarte
setting-gpu-layers-help = Bei 0 rechnet nur der Prozessor
setting-threads = Threads
setting-threads-help = Des Prozessors; in der Regel einer je Kern
setting-at-once = Gleichzeitige Antworten
setting-at-once-help = Sie teilen sich den Kontext
setting-flash-attention = Flash Attention
setting-flash-attention-help = Schneller und mit weniger Speicher, wo das Gerät es kann
setting-kv-format = KV-Cache
setting-kv-format-help = Ein kleineres Format braucht weniger Speicher und ist weniger genau. Es braucht Flash Attention.
setting-kv-f16 = 16 Bit
setting-kv-q8 = 8 Bit
setting-kv-q4 = 4 Bit
setting-kv-on-cpu = KV-Cache im Hauptspeicher
setting-kv-on-cpu-help = Lässt dem Modell mehr von der Grafikkarte und ist langsamer
setting-mmap = Modelldateien einblenden
setting-mmap-help = Startet schneller; das System liest, was gebraucht wird
setting-mlock = Modelle nicht auslagern
setting-mlock-help = Braucht die Erlaubnis des Systems
setting-speculation = Vorausraten
setting-speculation-help = Nimmt Wörter, die schon im Chat stehen, solange das schneller ist
setting-default-model = Antwortendes Modell
setting-default-model-help = Wo keins gewählt und keins im Speicher ist
default-model-last = Das letzte
setting-serve-at-login = Lokaler Server bei der Anmeldung
setting-serve-at-login-help = Der Server läuft von da an, auch ohne Fenster
setting-titles = Titel für neue Chats
setting-titles-help = Von einem Modell, das gerade nichts zu tun hat

unit-megabytes-a-second = MB/s
unit-gigabytes = GB
unit-minutes = min
unit-tokens = Token

usage-title = Hearth jetzt
usage-hint = Letzte Minute, mit Arbeitsprozessen
usage-memory = Speicher
usage-cpu = Prozessor
usage-video = Grafikspeicher, alle Programme
hardware-looking = Es wird nachgesehen, was hier rechnet…
device-cpu = Prozessor
device-gpu = Grafikkarte
device-integrated = Grafik, die den Hauptspeicher mitbenutzt
device-accelerator = Beschleuniger

models-total = { $total } insgesamt
models-total-free = { $total } insgesamt · { $free } frei
models-of-source = { $count ->
    [one] 1 Modell · { $size }
   *[other] { $count } Modelle · { $size }
}
source-hugging-face = Hugging-Face-Cache

account-no-token = Kein Token
account-token-environment = Token aus der Variablen HF_TOKEN
account-token-keyring = Token im Schlüsselbund des Systems
account-token-file = Token in einer Datei, die nur du lesen kannst
account-token-hugging-face = Token des Programms hf
account-checking = Der Hub wird gefragt…
account-offline = Wird offline nicht gefragt

privacy-no-telemetry = Keinerlei Telemetrie
privacy-no-telemetry-hint = Hearth zählt nichts, meldet nichts und hat kein Konto. Es fragt nicht von selbst nach Updates.
privacy-stays = Was auf diesem Rechner bleibt
privacy-stays-hint = Chats, Dateien dazu, Einstellungen, Protokolle und alles, was ein Modell berechnet. Kein Chat wird irgendwohin gesendet.
privacy-leaves = Was ihn verlässt, und wann
privacy-leaves-hint = Wonach du unter den Modellen suchst und welche du ansiehst oder herunterlädst, erfährt der Hub, den du gewählt hast. Dein Token geht dorthin und an keinen anderen Rechner.
privacy-never = Wann nichts ihn verlässt
privacy-never-hint = Solange „Offline arbeiten“ an ist, wird keine Verbindung zu einem anderen Rechner geöffnet.

about-licence = Lizenz
about-licence-names = MIT oder Apache-2.0
about-licences = Lizenzen
about-licences-hint = Die freie Software, auf der Hearth steht

path-export-all-title = Alle Chats exportieren
path-export-all-text = Eine JSON-Datei mit allem, die wieder importiert werden kann. Eine vorhandene Datei wird nicht überschrieben.
path-move-data-title = Alle Daten verschieben
path-move-data-text = Ein leerer oder ein neuer Ordner. Hearth schließt sich, verschiebt Chats, Einstellungen und eigene Modelle dorthin und öffnet sich wieder. Der Hugging-Face-Cache und die Modelle anderer Programme bleiben, wo sie sind.
path-move-data-button = Verschieben und neu starten
failed-move-data = Die Daten wurden nicht verschoben
path-folder-title = Ordner mit Modellen hinzufügen
path-folder-text = Hearth sucht dort und darunter nach GGUF-Dateien und ändert nichts darin.
path-folder-whole = muss ein ganzer Pfad sein, von der Wurzel an

confirm-delete-all = Alles löschen und beenden?
confirm-delete-all-text = Alle Chats, Entwürfe, Vorlagen, Einstellungen, API-Schlüssel, Protokolle, aufbewahrten Zustände und dein Hugging-Face-Token werden gelöscht und kommen nicht wieder. Modelldateien in { $models } und in Ordnern anderer Programme bleiben. Hearth schließt sich und öffnet sich beim nächsten Mal leer.
confirm-delete-all-button = Löschen und beenden

done-emptied = Geleert
done-emptied-text = { $size } wurden frei.
done-exported-all = { $chats ->
    [one] 1 Chat exportiert
   *[other] { $chats } Chats exportiert
}
failed-read-hub = Die Einstellungen des Hubs konnten nicht gelesen werden
failed-forget-token = Das Token wurde nicht vergessen
failed-disk-use = Die Größe der Modelle ist nicht bekannt
failed-read-kept = Die Größe des Aufbewahrten ist nicht bekannt
failed-empty-kept = Es wurde nicht alles entfernt
failed-export-all = Die Chats wurden nicht exportiert
failed-add-folder = Der Ordner wurde nicht hinzugefügt
failed-delete-all = Es wurde nichts gelöscht
