import { api } from '../../api.ts'
import type { SmsSettings } from '../../wire.ts'

/** Settings of SMS. */
export const smsSettingsQuery = {
  queryKey: ['/settings/sms'],
  queryFn: () => api.get<SmsSettings>('/settings/sms'),
}
