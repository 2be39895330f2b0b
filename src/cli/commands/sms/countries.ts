import { InvalidArgumentError } from 'commander'

/** Parse the two letters of a country. */
export function toCountry(text: string): string {
  const country = text.toUpperCase()
  if (!/^[A-Z]{2}$/.test(country))
    throw new InvalidArgumentError('It must be the two letters of a country, such as UG.')
  return country
}
