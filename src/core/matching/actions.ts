import { action, organizationOf } from '../access/action.ts'
import { MatchingSettings, matchingSettingsBody, setMatchingSettings } from './settings.ts'

/** Change the rules for unrequested money. Missing members stay. */
export const setMatchingSettingsAction = action({
  name: 'change matching settings',
  permission: 'manage_organization',
  input: matchingSettingsBody,
  run: (tx, context, given) => setMatchingSettings(tx, context.now, organizationOf(context), given),
  audit: (settings) => ({ details: settings }),
  api: {
    method: 'PATCH',
    path: '/matching-settings',
    tag: 'Matching',
    operation: 'changeMatchingSettings',
    summary: 'Change the rules for unrequested money',
    description: 'Changes the rules that the body has.',
    body: matchingSettingsBody,
    answer: MatchingSettings,
  },
})
