import { action, organizationOf } from '../access/action.ts'
import { changeOfSeller, checkSeller, Seller, setSeller } from './seller.ts'

/** Set the details of the seller, which every document shows. */
export const setSellerAction = action({
  name: 'set seller details',
  object_type: 'organization',
  permission: 'manage_organization',
  input: Seller,
  async run(tx, context, input) {
    const organization = organizationOf(context)
    const seller = checkSeller(input)
    return { organization, seller, before: await setSeller(tx, context.now, organization, seller) }
  },
  audit: ({ organization, seller, before }) => ({ object: organization, details: changeOfSeller(before, seller) }),
  console: { method: 'PUT', path: '/settings/seller' },
})
