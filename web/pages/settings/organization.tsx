import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Facts } from '../../parts/facts.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { sessionQuery } from '../../session.tsx'
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
      title="Organization"
      about="Texts to customers carry its name."
      actions={
        <FormDialog
          button="Rename"
          title="Rename the organization"
          submit="Rename"
          look={{ variant: 'default', size: 'xs' }}
          initial={{ name: organization.name }}
          send={rename}
          done="It has this name from now on."
          fields={(form) => <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />}
        />
      }
    >
      <Facts
        facts={[
          ['Name', organization.name],
          ['Id', organization.id],
          ['Since', <Time key="created" at={organization.created} />],
        ]}
      />
    </Panel>
  )
}
