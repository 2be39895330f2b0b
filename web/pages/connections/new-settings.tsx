import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { isPending, notifyChange } from '../../parts/pending-change.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import type { ConsoleConnectionDetail, NetworkDriver } from '../../wire.ts'
import { initialValues, SettingFields, type SettingValues, sentValues } from './setting-fields.tsx'

interface NewSettingsProps {
  driver: NetworkDriver
  environment: NetworkDriver['environments'][number]
  /** Called with the name of the stored draft. */
  done(slug: string): void
}

/** The form that stores a new connection as a draft. */
export function NewSettings({ driver, environment, done }: NewSettingsProps) {
  const { code, name, fields, can_provision } = driver
  const client = useQueryClient()
  const form = useForm<Record<string, string | boolean>>({
    initialValues: { ...initialValues(fields), slug: `${code}-${environment.name}`, provision: false },
  })
  const { onSubmit, pending, error } = useSubmit(
    form,
    ({ slug, provision, ...values }) =>
      api.post<ConsoleConnectionDetail>('/connections', {
        ...{ slug, provision, driver: code, environment: environment.name },
        values: sentValues(fields, values as SettingValues),
      }),
    ({ slug }) => {
      client.invalidateQueries({ queryKey: ['/connections'] })
      done(slug)
    },
  )
  const makes_credentials = form.values.provision === true
  return (
    <form onSubmit={onSubmit} noValidate autoComplete="off">
      <Stack maw={640}>
        <TextInput
          label="Name"
          description="Lower-case letters, digits and hyphens. It cannot be changed later."
          required
          autoComplete="off"
          {...form.getInputProps('slug')}
        />
        {can_provision && !environment.live && (
          <Checkbox
            label="Let the network make the credentials"
            description={`${name} makes them for this test environment. Leave empty below what it makes.`}
            {...form.getInputProps('provision', { type: 'checkbox' })}
          />
        )}
        <SettingFields
          form={form}
          fields={makes_credentials ? fields.map((field) => ({ ...field, required: false })) : fields}
        />
        <Problem error={error} />
        <Group justify="space-between">
          <Button variant="default" component={Link} to={`/add-connection?network=${code}`}>
            Back
          </Button>
          <Button type="submit" loading={pending}>
            Save and continue
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The form that changes the settings of a draft. */
export function ChangeSettings({ connection, done }: { connection: ConsoleConnectionDetail; done(): void }) {
  const { slug, fields, settings, secrets } = connection
  const client = useQueryClient()
  const form = useForm<SettingValues>({ initialValues: initialValues(fields, settings) })
  const { onSubmit, pending, error } = useSubmit(
    form,
    (values) => api.put(`/connections/${slug}/settings`, { values: sentValues(fields, values) }),
    async (answer) => {
      notifyChange(answer, 'The settings are saved.')
      await client.invalidateQueries({ queryKey: ['/connections'] })
      if (!isPending(answer)) done()
    },
  )
  return (
    <form onSubmit={onSubmit} noValidate autoComplete="off">
      <Stack maw={640}>
        <SettingFields fields={fields} form={form} secrets={secrets} />
        <Problem error={error} />
        <Group justify="space-between">
          <Button variant="default" component={Link} to={`/add-connection?connection=${slug}&step=test`}>
            Leave them as they are
          </Button>
          <Button type="submit" loading={pending}>
            Save and continue
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
