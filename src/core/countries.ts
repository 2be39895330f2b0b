import { z } from 'zod'
import { documented } from './fields.ts'

/** Interface 2.2. */
export const Country = z
  .object({
    iso: documented(z.string(), 'ISO 3166-1, two letters.', 'UG'),
    iso3: documented(z.string(), 'ISO 3166-1, three letters.', 'UGA'),
    iso_numeric: documented(z.int(), 'ISO 3166-1, numeric.', 800),
    name: documented(z.string(), 'Name in capitals.', 'UGANDA'),
    printable_name: documented(z.string(), 'Name in ordinary spelling.', 'Uganda'),
    phone_prefix: documented(z.string(), 'Calling code without the plus sign.', '256'),
    supported: documented(z.boolean(), 'Whether money can be collected here.', true),
  })
  .meta({ id: 'Country' })
