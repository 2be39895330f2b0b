import { Anchor, Badge, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { makePasskey, passkeyObstacle } from '../../passkeys.ts'
import { sessionQuery } from '../../session.tsx'
import type { AddedPasskey, Passkey } from '../../wire.ts'
import { type Confirmation, ConfirmForm, passkeysQuery } from './confirm-form.tsx'
import { deviceName } from './device-name.ts'

/** The passkeys of the user. @param props.onCodes shows the recovery codes that come with the first second factor */
export function PasskeyList({ onCodes }: { onCodes(codes: string[]): void }) {
  const { data, error, refetch } = useQuery(passkeysQuery)
  const obstacle = data && passkeyObstacle(data.origin)
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <div>
          <Text fz="sm" fw={600}>
            Passkeys
          </Text>
          <Text fz="sm" c="dimmed">
            Your fingerprint, face or PIN on a device, or a security key.
          </Text>
        </div>
        {data && !obstacle && <AddPasskey onCodes={onCodes} />}
      </Group>
      {obstacle && (
        <Text fz="sm">
          {obstacle.text}{' '}
          {obstacle.address && (
            <Anchor inherit href={obstacle.address}>
              {obstacle.address}
            </Anchor>
          )}
        </Text>
      )}
      {replacesContent(error, data) ? <Problem error={error} retry={refetch} /> : !data && <Loading />}
      {data?.results.map((passkey) => (
        <PasskeyRow key={passkey.id} passkey={passkey} origin={data.origin} />
      ))}
    </Stack>
  )
}

function PasskeyRow({ passkey, origin }: { passkey: Passkey; origin: string | null }) {
  const elsewhere = origin === null || new URL(origin).hostname !== passkey.domain
  return (
    <Group justify="space-between">
      <div>
        <Group gap="xs">
          <Text fz="sm">{passkey.name}</Text>
          {passkey.synced && (
            <Badge variant="light" tt="none">
              On several devices
            </Badge>
          )}
        </Group>
        <Text fz="xs" c="dimmed">
          Added <Time at={passkey.created} />
          {passkey.last_used ? (
            <>
              , last used <Time at={passkey.last_used} />
            </>
          ) : (
            ', never used'
          )}
          {elsewhere && `. It works at ${passkey.domain} only`}
        </Text>
      </div>
      <Group gap="xs">
        <FormDialog
          button="Rename"
          title={`Rename ${passkey.name}`}
          submit="Rename"
          look={{ variant: 'default', size: 'xs' }}
          initial={{ name: passkey.name }}
          send={(values) => api.patch(`/account/passkeys/${passkey.id}`, values)}
          done="The passkey has its new name."
          fields={(form) => <TextInput label="Name" required maxLength={60} {...form.getInputProps('name')} />}
        />
        <RemovePasskey passkey={passkey} />
      </Group>
    </Group>
  )
}

function RemovePasskey({ passkey }: { passkey: Passkey }) {
  const [opened, { open, close }] = useDisclosure()
  const refresh = useRefresh()
  const done = () => {
    notifications.show({ color: 'green', message: `The passkey ${passkey.name} was removed.` })
    close()
    refresh()
  }
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        Remove
      </Button>
      <Modal opened={opened} onClose={close} title={`Remove ${passkey.name}?`}>
        <ConfirmForm
          submit="Remove it"
          send={(confirmation) => api.delete(`/account/passkeys/${passkey.id}`, confirmation)}
          done={done}
        >
          <Text fz="sm">It can no longer be used to sign in here. Delete it on the device as well.</Text>
        </ConfirmForm>
      </Modal>
    </>
  )
}

function AddPasskey({ onCodes }: { onCodes(codes: string[]): void }) {
  const [opened, { open, close }] = useDisclosure()
  const refresh = useRefresh()
  const done = ({ passkey, recovery_codes }: AddedPasskey) => {
    notifications.show({ color: 'green', message: `The passkey ${passkey.name} was added.` })
    close()
    refresh()
    if (recovery_codes) onCodes(recovery_codes)
  }
  return (
    <>
      <Button size="xs" onClick={open}>
        Add a passkey
      </Button>
      <Modal opened={opened} onClose={close} title="Add a passkey">
        <AddForm done={done} />
      </Modal>
    </>
  )
}

function AddForm({ done }: { done(added: AddedPasskey): void }) {
  const form = useForm({ initialValues: { name: deviceName(navigator.userAgent) } })
  const send = async (confirmation: Confirmation) => {
    const path = '/account/passkeys'
    const options = await api.post<PublicKeyCredentialCreationOptionsJSON>(`${path}/options`, confirmation)
    return api.post<AddedPasskey>(path, { name: form.values.name, answer: await makePasskey(options) })
  }
  return (
    <ConfirmForm submit="Go on" send={send} done={done}>
      <TextInput
        label="Name"
        description="So that you know it again, such as “Phone” or “Key in the safe”."
        required
        maxLength={60}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </ConfirmForm>
  )
}

function useRefresh(): () => void {
  const client = useQueryClient()
  return () => {
    client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/account/') })
  }
}
