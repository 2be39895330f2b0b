-- Outside of a transaction: indexes of large tables are built while others write.
-- Kind: widen
-- Names that begin alike are too many to be found by the words of contacts_search: it reads all words with a beginning. This index has the beginnings themselves, and few of them.

-- The first two and the first three letters of each word of a contact's names, below the organization: `12/ja`, `12/jan`. Like contact_search_terms it is one expression.
create or replace function contact_beginnings(organization bigint, first_name text, last_name text, name_on_network text)
returns tsvector language sql immutable parallel safe
return array_to_tsvector(array_remove(string_to_array(regexp_replace(
    translate(lower(first_name || ' ' || last_name || ' ' || name_on_network),
      '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '                                '),
    '\s*(?:(\S{2})(\S?)\S*|\S)\s*', organization::text || '/\1 ' || organization::text || '/\1\2 ', 'g'), ' '), ''));
comment on function contact_beginnings is 'The beginnings of names that the search finds a contact by (src/core/search/contacts.ts).';
drop index concurrently if exists contacts_beginnings;
create index concurrently contacts_beginnings on contacts
  using gin (contact_beginnings(organization, first_name, last_name, name_on_network))
  with (gin_pending_list_limit = 512);
