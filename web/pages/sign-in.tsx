import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { ApiError, api } from '../api.ts'
import { Problem } from '../parts/problem.tsx'
import { useSubmit } from '../parts/use-submit.ts'
import { useRememberedEmail, useStartSession } from '../session.tsx'
import { Trans, t } from '../texts/index.ts'
import type { Session } from '../wire.ts'
import { SignedOutPage } from './signed-out-page.tsx'

/** The sign-in page. */
export function SignIn({ session }: { session: Session }) {
  const [forgotten, setForgotten] = useState(false)
  if (forgotten) return <ForgottenPassword session={session} back={() => setForgotten(false)} />
  return (
    <SignedOutPage
      title={t('access.sign_in.title')}
      service_name={session.service_name}
      about={session.mode === 'sandbox' ? t('access.sign_in.sandbox') : undefined}
    >
      <SignInForm />
      <Anchor component="button" type="button" fz="sm" mt="md" onClick={() => setForgotten(true)}>
        {t('access.sign_in.forgot')}
      </Anchor>
    </SignedOutPage>
  )
}

function SignInForm() {
  const enter = useStartSession()
  const known = useRememberedEmail()
  const form = useForm({ initialValues: { email: known, password: '' } })
  const { onSubmit, pending, error } = useSubmit(form, (values) => api.post<Session>('/session', values), enter)
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput
          label={t('access.email')}
          type="email"
          autoComplete="username"
          required
          autoFocus={known === ''}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={t('access.password')}
          autoComplete="current-password"
          required
          autoFocus={known !== ''}
          {...form.getInputProps('password')}
        />
        {isWrongPassword(error) ? (
          <Problem error={new Error(t('access.sign_in.wrong_hint'))} title={t('access.sign_in.wrong')} />
        ) : (
          <Problem error={error} />
        )}
        <Button type="submit" loading={pending}>
          {t('access.sign_in.submit')}
        </Button>
      </Stack>
    </form>
  )
}

/** Return true if the service refused e-mail and password, as opposed to an outage or too many attempts. */
function isWrongPassword(error: unknown): boolean {
  return error instanceof ApiError && error.status === 400
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
    <SignedOutPage title={t('access.reset.title')} service_name={session.service_name}>
      {!session.mail ? (
        <Text fz="sm">
          <Trans i18nKey="access.reset.no_mail" components={{ code: <code /> }} />
        </Text>
      ) : sent ? (
        <Text fz="sm">{t('access.reset.sent')}</Text>
      ) : (
        <form onSubmit={onSubmit}>
          <Stack>
            <TextInput
              label={t('access.email')}
              type="email"
              autoComplete="username"
              required
              autoFocus
              {...form.getInputProps('email')}
            />
            <Problem error={error} />
            <Button type="submit" loading={pending}>
              {t('access.reset.submit')}
            </Button>
          </Stack>
        </form>
      )}
      <Anchor component="button" type="button" fz="sm" mt="md" onClick={back}>
        {t('access.reset.back')}
      </Anchor>
    </SignedOutPage>
  )
}
