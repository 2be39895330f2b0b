import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Facts } from '../../parts/facts.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { sessionQuery } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { Settings } from '../../wire.ts'

/** The name of the organization, which customers see. */
export function OrganizationPanel({ organization }: Pick<Settings, 'organization'>) {
  const client = useQueryClient()
  const rename = async (values: { name: string }) => {
    await api.put('/settings/name', values)
    // The frame also shows the name.
    await client.invalidateQueries(sessionQuery)
  }
  return (
    <Panel
      title={t('shell.groups.organization')}
      about={t('settings.organization.about')}
      actions={
        <FormDialog
          button={t('settings.organization.rename')}
          title={t('settings.organization.rename_title')}
          submit={t('settings.organization.rename')}
          look={{ variant: 'default', size: 'xs' }}
          initial={{ name: organization.name }}
          send={rename}
          done={t('settings.organization.renamed')}
          fields={(form) => (
            <TextInput
              label={t('settings.organization.name')}
              required
              data-autofocus
              {...form.getInputProps('name')}
            />
          )}
        />
      }
    >
      <Facts
        bare
        facts={[
          [t('settings.organization.name'), organization.name],
          [t('settings.organization.id'), organization.id],
          [t('settings.organization.created'), <Time key="created" at={organization.created} />],
        ]}
      />
    </Panel>
  )
}
