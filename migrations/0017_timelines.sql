-- The timeline of a collection request looks for events and callbacks by the moments at which the request moved. Both
-- tables are only ever added to, so what was written at one moment lies together, and these indexes cost next to nothing.
create index events_moments on events using brin (created) with (pages_per_range = 16, autosummarize = on);
create index callbacks_moments on callbacks using brin (received) with (pages_per_range = 16, autosummarize = on);
