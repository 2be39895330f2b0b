/** The password of people in tests. */
export const PASSWORD = 'correct horse battery'

/** Its hash at the lowest cost of argon2id: at the cost of the service, each sign-in keeps a processor busy for 50 ms. */
export const PASSWORD_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$c2FsdCBvZiB0aGUgdGVzdA$eEe+OE12fqIf4UglQj1cTUJiyqA7SHTq6Od7NMLu79A'
