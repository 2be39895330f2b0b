import { Anchor, Button, Divider, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { notifyProblem } from '../parts/notify.tsx'
import { Problem } from '../parts/problem.tsx'
import { useSubmit } from '../parts/use-submit.ts'
import { askPasskey, passkeyObstacle } from '../passkeys.ts'
import { useEndSession, useStartSession } from '../session.tsx'
import { t } from '../texts/index.ts'
import type { Session } from '../wire.ts'
import { SignedOutPage } from './signed-out-page.tsx'

/** The page for the second factor, after the password. */
export function SecondFactor({ session }: { session: Session }) {
  const enter = useStartSession()
  const backToStart = useEndSession()
  const form = useForm({ initialValues: { code: '' } })
  const send = (values: { code: string }) => api.post<Session>('/session/second-factor', values)
  const { onSubmit, pending, error } = useSubmit(form, send, enter)
  const leave = async () => {
    try {
      await api.delete('/session')
      await backToStart()
    } catch (error) {
      notifyProblem(error)
    }
  }
  return (
    <SignedOutPage
      title={t('access.second_factor.title')}
      about={aboutOf(session.second_step)}
      service_name={session.service_name}
    >
      {session.second_step?.passkey && <PasskeyStep origin={session.second_step.passkey_origin} />}
      <form onSubmit={onSubmit}>
        <Stack>
          <TextInput
            label={t(session.second_step?.app ? 'access.second_factor.code' : 'access.second_factor.recovery_code')}
            autoComplete="one-time-code"
            autoFocus={!session.second_step?.passkey}
            required
            {...form.getInputProps('code')}
          />
          <Problem error={error} />
          <Button type="submit" variant={session.second_step?.passkey ? 'default' : 'filled'} loading={pending}>
            {t('access.second_factor.submit')}
          </Button>
        </Stack>
      </form>
      <Anchor component="button" type="button" fz="sm" mt="md" onClick={leave}>
        {t('access.second_factor.other_user')}
      </Anchor>
    </SignedOutPage>
  )
}

function aboutOf(step: Session['second_step']): string {
  if (!step?.passkey) return t('access.second_factor.about_app')
  return t(step.app ? 'access.second_factor.about_both' : 'access.second_factor.about_passkey')
}

/** The button for the passkey. Browsers ask for it only after a click. */
function PasskeyStep({ origin }: { origin: string | null }) {
  const enter = useStartSession()
  const obstacle = passkeyObstacle(origin)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => api.post<Session>('/session/passkey', await askPasskey('/session/passkey/options')),
    onSuccess: enter,
  })
  return (
    <Stack>
      {obstacle ? (
        <Text fz="sm">
          {obstacle.text}{' '}
          {obstacle.address && (
            <Anchor inherit href={obstacle.address}>
              {obstacle.address}
            </Anchor>
          )}
        </Text>
      ) : (
        <Button autoFocus leftSection={<IconFingerprint size={18} />} loading={isPending} onClick={() => mutate()}>
          {t('access.second_factor.use_passkey')}
        </Button>
      )}
      <Problem error={error} />
      <Divider label={t('access.second_factor.or')} mb="xs" />
    </Stack>
  )
}
