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
import { Trans, t } from '../../texts/index.ts'
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
            {t('account.passkeys.title')}
          </Text>
          <Text fz="sm" c="dimmed">
            {t('account.passkeys.about')}
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
              {t('account.passkeys.synced')}
            </Badge>
          )}
        </Group>
        <Text fz="xs" c="dimmed">
          <Trans
            i18nKey={passkey.last_used ? 'account.passkeys.added_used' : 'account.passkeys.added_unused'}
            components={{ added: <Time at={passkey.created} />, used: <Time at={passkey.last_used} /> }}
          />{' '}
          {elsewhere && t('account.passkeys.elsewhere', { domain: passkey.domain })}
        </Text>
      </div>
      <Group gap="xs">
        <FormDialog
          button={t('account.passkeys.rename')}
          title={t('account.passkeys.rename_title', { name: passkey.name })}
          submit={t('account.passkeys.rename')}
          look={{ variant: 'default', size: 'xs' }}
          initial={{ name: passkey.name }}
          send={(values) => api.patch(`/account/passkeys/${passkey.id}`, values)}
          done={t('account.passkeys.renamed')}
          fields={(form) => (
            <TextInput label={t('account.passkeys.name')} required maxLength={60} {...form.getInputProps('name')} />
          )}
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
    notifications.show({ color: 'green', message: t('account.passkeys.removed', { name: passkey.name }) })
    close()
    refresh()
  }
  return (
    <>
      <Button variant="default" size="xs" aria-haspopup="dialog" onClick={open}>
        {t('account.passkeys.remove')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('account.passkeys.remove_title', { name: passkey.name })}>
        <ConfirmForm
          close={close}
          submit={t('account.passkeys.remove')}
          send={(confirmation) => api.delete(`/account/passkeys/${passkey.id}`, confirmation)}
          done={done}
        >
          <Text fz="sm">{t('account.passkeys.remove_text')}</Text>
        </ConfirmForm>
      </Modal>
    </>
  )
}

function AddPasskey({ onCodes }: { onCodes(codes: string[]): void }) {
  const [opened, { open, close }] = useDisclosure()
  const refresh = useRefresh()
  const done = ({ passkey, recovery_codes }: AddedPasskey) => {
    notifications.show({ color: 'green', message: t('account.passkeys.added', { name: passkey.name }) })
    close()
    refresh()
    if (recovery_codes) onCodes(recovery_codes)
  }
  return (
    <>
      <Button size="xs" variant="default" aria-haspopup="dialog" onClick={open}>
        {t('account.passkeys.add')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('account.passkeys.add')}>
        <AddForm done={done} close={close} />
      </Modal>
    </>
  )
}

function AddForm({ done, close }: { done(added: AddedPasskey): void; close(): void }) {
  const form = useForm({ initialValues: { name: deviceName(navigator.userAgent) } })
  const send = async (confirmation: Confirmation) => {
    const path = '/account/passkeys'
    const options = await api.post<PublicKeyCredentialCreationOptionsJSON>(`${path}/options`, confirmation)
    return api.post<AddedPasskey>(path, { name: form.values.name, answer: await makePasskey(options) })
  }
  return (
    <ConfirmForm close={close} submit={t('account.confirm.submit')} send={send} done={done}>
      <TextInput
        label={t('account.passkeys.name')}
        description={t('account.passkeys.name_about')}
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
