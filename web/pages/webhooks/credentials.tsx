import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconLock } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { FormButtons } from '../../parts/form-dialog.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { Trans, t } from '../../texts/index.ts'

interface Credentials {
  user: string | null
  modified: string | null
}

const key = ['/webhook-credentials']

/** The user name and password that all notifications of the organization carry. */
export function CredentialsButton() {
  const client = useQueryClient()
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" leftSection={<IconLock size={16} />} aria-haspopup="dialog" onClick={open}>
        {t('webhooks.credentials.button')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        // Refreshed after the dialog is closed, so that it does not change during the animation.
        onExitTransitionEnd={() => client.removeQueries({ queryKey: key })}
        title={t('webhooks.credentials.title')}
      >
        <CredentialsForm close={close} />
      </Modal>
    </>
  )
}

function CredentialsForm({ close }: { close(): void }) {
  const {
    data,
    error: unread,
    refetch,
  } = useQuery({
    queryKey: key,
    queryFn: () => api.get<Credentials>('/webhook-credentials'),
  })
  const done = (message: string) => () => {
    notifications.show({ color: 'green', message })
    close()
  }
  const form = useForm({ initialValues: { user: '', password: '' } })
  const { onSubmit, pending, error } = useSubmit(
    form,
    (values) => api.put('/webhook-credentials', values),
    done(t('webhooks.credentials.set')),
  )
  const clear = useMutation({
    mutationFn: () => api.delete('/webhook-credentials'),
    onSuccess: done(t('webhooks.credentials.removed')),
  })
  if (unread) return <Problem error={unread} retry={refetch} />
  if (!data) return <Loading />
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <Text fz="sm">
          {data.user ? (
            <Trans
              i18nKey="webhooks.credentials.current"
              components={{ user: <b>{data.user}</b>, time: <Time at={data.modified} /> }}
            />
          ) : (
            t('webhooks.credentials.about')
          )}
        </Text>
        <TextInput
          label={t('webhooks.credentials.user')}
          autoComplete="off"
          required
          data-autofocus
          {...form.getInputProps('user')}
        />
        <PasswordInput
          label={t('webhooks.credentials.password')}
          autoComplete="new-password"
          required
          {...form.getInputProps('password')}
        />
        <Problem error={error ?? clear.error} />
        <Group justify="flex-end">
          {data.user && (
            <Button variant="default" loading={clear.isPending} onClick={() => clear.mutate()}>
              {t('webhooks.credentials.remove')}
            </Button>
          )}
          <FormButtons submit={t('webhooks.credentials.save')} pending={pending} close={close} />
        </Group>
      </Stack>
    </form>
  )
}
