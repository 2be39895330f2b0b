import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { api } from '../api.ts'
import { Problem } from '../parts/problem.tsx'
import { useSubmit } from '../parts/use-submit.ts'
import { useStartSession } from '../session.tsx'
import type { Session } from '../wire.ts'
import { SignedOutPage } from './signed-out-page.tsx'

/** The sign-in page. */
export function SignIn({ session }: { session: Session }) {
  const [forgotten, setForgotten] = useState(false)
  if (forgotten) return <ForgottenPassword session={session} back={() => setForgotten(false)} />
  return (
    <SignedOutPage
      title="Sign in"
      service_name={session.service_name}
      about={
        session.mode === 'sandbox'
          ? 'This is a sandbox. Its start printed what the demo owner signs in with.'
          : undefined
      }
    >
      <SignInForm />
      <Anchor component="button" type="button" fz="sm" mt="md" onClick={() => setForgotten(true)}>
        Forgotten your password?
      </Anchor>
    </SignedOutPage>
  )
}

function SignInForm() {
  const enter = useStartSession()
  const form = useForm({ initialValues: { email: '', password: '' } })
  const { onSubmit, pending, error } = useSubmit(form, (values) => api.post<Session>('/session', values), enter)
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput label="E-mail" type="email" autoComplete="username" required {...form.getInputProps('email')} />
        <PasswordInput label="Password" autoComplete="current-password" required {...form.getInputProps('password')} />
        <Problem error={error} />
        <Button type="submit" loading={pending}>
          Sign in
        </Button>
      </Stack>
    </form>
  )
}

function ForgottenPassword({ session, back }: { session: Session; back(): void }) {
  const form = useForm({ initialValues: { email: '' } })
  const [sent, setSent] = useState(false)
  const { onSubmit, pending, error } = useSubmit(
    form,
    (values) => api.post('/password-resets', values),
    () => setSent(true),
  )
  return (
    <SignedOutPage title="Forgotten password" service_name={session.service_name}>
      {!session.mail ? (
        <Text fz="sm">
          This installation sends no mail. Ask somebody who manages the users of your organization for a link, or the
          operator to run <code>npx kusanya users password</code>.
        </Text>
      ) : sent ? (
        <Text fz="sm">If there is an account with this address, a link is on its way to it.</Text>
      ) : (
        <form onSubmit={onSubmit}>
          <Stack>
            <TextInput label="E-mail" type="email" autoComplete="username" required {...form.getInputProps('email')} />
            <Problem error={error} />
            <Button type="submit" loading={pending}>
              Send me a link
            </Button>
          </Stack>
        </form>
      )}
      <Anchor component="button" type="button" fz="sm" mt="md" onClick={back}>
        Back
      </Anchor>
    </SignedOutPage>
  )
}
