import type { Biller } from './biller.ts'

/** The billers of this installation. The first one sells; the others are asked about what was bought from them earlier. */
export type Billers = readonly Biller[]

/** The biller with this code, if it is configured. */
export function billerByCode(billers: Billers, code: string): Biller | undefined {
  return billers.find((biller) => biller.code === code)
}
