import type { Network } from './network.ts'

/** The networks of this installation, in order of preference. */
export type Networks = readonly Network[]

/** The first network that can collect this currency from this phone, if any can. */
export function collectionNetworkFor(networks: Networks, phonenumber: string, currency: string): Network | undefined {
  return networks.find((network) => network.serves(phonenumber, currency))
}

/** The first network that can send this currency to this phone, with the limits of one payout there. */
export function payoutNetworkFor(networks: Networks, phonenumber: string, currency: string) {
  const network = networks.find((one) => one.sendMoney && one.serves(phonenumber, currency))
  return (
    network && { code: network.code, name: network.name, limits: network.payoutLimits?.(currency) ?? network.limits }
  )
}

/** The network with this code, if it is configured. */
export function networkByCode(networks: Networks, code: string): Network | undefined {
  return networks.find((network) => network.code === code)
}

/** Every network once for each of its countries. */
export function networkCountries(networks: Networks) {
  return networks.flatMap(({ code, name, countries = [] }) =>
    countries.map(({ iso, phone_regex }) => ({ code, name, country: iso, phone_regex })),
  )
}
