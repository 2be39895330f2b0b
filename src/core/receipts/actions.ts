import { action, organizationOf } from '../access/action.ts'
import { ReceiptSettings, readReceiptSettings, setReceiptSettings } from './settings.ts'

/** Choose which receipts are made and sent automatically. */
export const setReceiptSettingsAction = action({
  name: 'change receipt settings',
  object_type: 'organization',
  permission: 'manage_organization',
  input: ReceiptSettings,
  async run(tx, context, input) {
    const organization = organizationOf(context)
    const before = await readReceiptSettings(tx, organization)
    return { organization, before, settings: await setReceiptSettings(tx, context.now, organization, input) }
  },
  audit: ({ organization, before, settings }) =>
    JSON.stringify(before) === JSON.stringify(settings) ? undefined : { object: organization, details: settings },
  console: {
    method: 'PUT',
    path: '/receipts/settings',
    answer: ReceiptSettings,
    view: ({ settings }) => settings,
  },
})
