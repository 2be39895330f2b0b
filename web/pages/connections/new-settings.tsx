import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { isPending, notifyChange } from '../../parts/pending-change.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { t } from '../../texts/index.ts'
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
        slug,
        provision,
        driver: code,
        environment: environment.name,
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
          label={t('fields.name')}
          description={t('connections.settings.name_about')}
          required
          autoComplete="off"
          {...form.getInputProps('slug')}
        />
        {can_provision && !environment.live && (
          <Checkbox
            label={t('connections.settings.provision')}
            description={t('connections.settings.provision_about', { network: name })}
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
            {t('connections.back')}
          </Button>
          <Button type="submit" loading={pending}>
            {t('connections.settings.save_and_continue')}
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
      notifyChange(answer, t('connections.settings.saved'))
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
            {t('connections.settings.keep_all')}
          </Button>
          <Button type="submit" loading={pending}>
            {t('connections.settings.save_and_continue')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
