import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconLock } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { useSubmit } from '../../parts/use-submit.ts'

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
      <Button variant="default" leftSection={<IconLock size={16} />} onClick={open}>
        Credentials
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        // Refreshed after the dialog is closed, so that it does not change during the animation.
        onExitTransitionEnd={() => client.removeQueries({ queryKey: key })}
        title="Credentials of all notifications"
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
    done('Notifications carry them from now on.'),
  )
  const clear = useMutation({
    mutationFn: () => api.delete('/webhook-credentials'),
    onSuccess: done('Notifications carry none any more.'),
  })
  if (unread) return <Problem error={unread} retry={refetch} />
  if (!data) return <Loading />
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <Text fz="sm">
          {data.user ? (
            <>
              Notifications carry the user name <b>{data.user}</b> since <Time at={data.modified} />.
            </>
          ) : (
            'Notifications can carry a user name and a password (HTTP Basic), for receivers that ask for them.'
          )}
        </Text>
        <TextInput label="User name" autoComplete="off" required data-autofocus {...form.getInputProps('user')} />
        <PasswordInput label="Password" autoComplete="new-password" required {...form.getInputProps('password')} />
        <Problem error={error ?? clear.error} />
        <Group justify="flex-end">
          {data.user && (
            <Button variant="default" loading={clear.isPending} onClick={() => clear.mutate()}>
              Take them away
            </Button>
          )}
          <Button type="submit" loading={pending}>
            Set
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
