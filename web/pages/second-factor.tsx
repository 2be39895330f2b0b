import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { api } from '../api.ts'
import { notifyProblem } from '../parts/notify.ts'
import { Problem } from '../parts/problem.tsx'
import { useSubmit } from '../parts/use-submit.ts'
import { useEndSession, useStartSession } from '../session.tsx'
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
      title="Second step"
      about="Type the code that your authenticator app shows, or one of your recovery codes."
      service_name={session.service_name}
    >
      <form onSubmit={onSubmit}>
        <Stack>
          <TextInput label="Code" autoComplete="one-time-code" autoFocus required {...form.getInputProps('code')} />
          <Problem error={error} />
          <Button type="submit" loading={pending}>
            Go on
          </Button>
        </Stack>
      </form>
      <Anchor component="button" type="button" fz="sm" mt="md" onClick={leave}>
        Sign in as somebody else
      </Anchor>
    </SignedOutPage>
  )
}
