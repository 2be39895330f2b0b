-- Kind: widen
-- The trace of a collection request, so that later jobs and callbacks continue it.
alter table collection_requests add column traceparent text;
comment on column collection_requests.traceparent is 'W3C trace context of the span that stored the request. Null while traces are off, and for traces that are not exported.';
