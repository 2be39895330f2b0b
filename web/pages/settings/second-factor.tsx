import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Panel } from '../../parts/panel.tsx'
import { notifyChange } from '../../parts/pending-change.tsx'
import { t } from '../../texts/index.ts'
import { SecondPerson } from './second-person.tsx'

/** Rule that users who move money need a second factor to sign in. */
export function SecondFactorRulePanel({ required, changed }: { required: boolean; changed(): void }) {
  const client = useQueryClient()
  const set = async () => {
    const made = t(required ? 'settings.second_factor.made_optional' : 'settings.second_factor.made_required')
    notifyChange(await api.put('/settings/second-factor', { required: !required }), made)
    await client.invalidateQueries({ queryKey: ['/users'] })
  }
  return (
    <Panel
      title={t('settings.second_factor.title')}
      about={t('settings.second_factor.about')}
      actions={
        <Confirm
          button={t(required ? 'settings.second_factor.make_optional' : 'settings.second_factor.require')}
          title={t(required ? 'settings.second_factor.make_optional_title' : 'settings.second_factor.require_title')}
          act={set}
          done={changed}
        >
          {required ? (
            <SecondPerson>{t('settings.second_factor.make_optional_text')}</SecondPerson>
          ) : (
            t('settings.second_factor.require_text')
          )}
        </Confirm>
      }
    >
      <Text fz="sm">{t(required ? 'settings.second_factor.required' : 'settings.second_factor.optional')}</Text>
    </Panel>
  )
}
