/** The name of a contact; empty for one that has none yet. */
export function contactName({ first_name, last_name }: { first_name: string; last_name: string }): string {
  return namedCustomer(`${first_name} ${last_name}`.trim())
}

/** The name of a customer; empty for the name that the interface gives to contacts without one. */
export function namedCustomer(name: string): string {
  return name === 'Anonymous Contact' ? '' : name
}
