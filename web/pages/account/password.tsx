import { Button, PasswordInput, SimpleGrid } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { t } from '../../texts/index.ts'

/** Change the password, which signs out all other browsers. */
export function PasswordPanel() {
  const client = useQueryClient()
  const form = useForm({ initialValues: { current_password: '', password: '' } })
  const { onSubmit, pending, error } = useSubmit(
    form,
    (values) => api.post('/account/password', values),
    () => {
      notifications.show({ color: 'green', message: t('account.password.changed') })
      client.invalidateQueries({ queryKey: ['/account/sessions'] })
      form.reset()
    },
  )
  return (
    <Panel title={t('account.password.title')} about={t('account.password.about')}>
      <form onSubmit={onSubmit}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <PasswordInput
            label={t('account.password.current')}
            autoComplete="current-password"
            required
            {...form.getInputProps('current_password')}
          />
          <PasswordInput
            label={t('access.new_password')}
            autoComplete="new-password"
            required
            {...form.getInputProps('password')}
          />
        </SimpleGrid>
        <Problem error={error} />
        <Button type="submit" mt="md" loading={pending}>
          {t('account.password.submit')}
        </Button>
      </form>
    </Panel>
  )
}
