import { Anchor, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../api.ts'
import { FormButtons } from '../../parts/form-dialog.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { askPasskey, passkeyObstacle } from '../../passkeys.ts'
import { t } from '../../texts/index.ts'
import type { PasskeyList, SecondFactors } from '../../wire.ts'

/** Confirmation of an action by the user. */
export type Confirmation = { password: string } | { code: string } | { passkey: unknown }

export const passkeysQuery = {
  queryKey: ['/account/passkeys'],
  queryFn: () => api.get<PasskeyList>('/account/passkeys'),
}
export const secondFactorsQuery = {
  queryKey: ['/account/second-factor'],
  queryFn: () => api.get<SecondFactors>('/account/second-factor'),
}

interface ConfirmFormProps<Answer> {
  /** Fields above the confirmation. */
  children?: ReactNode
  submit?: string
  send(confirmation: Confirmation): Promise<Answer>
  done(answer: Answer): void
  close(): void
}

/** Ask the user for the password before an action on the account, or for a code or a passkey instead. */
export function ConfirmForm<Answer>({
  children,
  submit = t('account.confirm.submit'),
  send,
  done,
  close,
}: ConfirmFormProps<Answer>) {
  const [way, setWay] = useState<'password' | 'code'>('password')
  const { data: passkeys } = useQuery(passkeysQuery)
  const { data: factors } = useQuery(secondFactorsQuery)
  const form = useForm({ initialValues: { password: '', code: '' } })
  const sendTyped = ({ password, code }: { password: string; code: string }) =>
    send(way === 'password' ? { password } : { code })
  const { onSubmit, pending, error } = useSubmit(form, sendTyped, done)
  const withPasskey = useMutation({
    mutationFn: async () => send({ passkey: await askPasskey('/account/confirmation') }),
    onSuccess: done,
  })
  const hasPasskey = passkeys && passkeys.results.length > 0 && !passkeyObstacle(passkeys.origin)
  const hasCodes = factors && (factors.app || factors.recovery_codes > 0)
  const change = () => setWay(way === 'password' ? 'code' : 'password')
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        {children}
        {way === 'password' ? (
          <PasswordInput
            label={t('account.confirm.password')}
            autoComplete="current-password"
            required
            data-autofocus={!children}
            {...form.getInputProps('password')}
          />
        ) : (
          <TextInput
            label={t('account.confirm.code')}
            autoComplete="one-time-code"
            required
            {...form.getInputProps('code')}
          />
        )}
        {(hasPasskey || hasCodes) && (
          <Group gap="lg">
            {hasPasskey && (
              <Anchor component="button" type="button" fz="sm" onClick={() => withPasskey.mutate()}>
                {t('account.confirm.use_passkey')}
              </Anchor>
            )}
            {hasCodes && (
              <Anchor component="button" type="button" fz="sm" onClick={change}>
                {t(way === 'password' ? 'account.confirm.use_code' : 'account.confirm.use_password')}
              </Anchor>
            )}
          </Group>
        )}
        <Problem error={error ?? withPasskey.error} />
        <FormButtons submit={submit} pending={pending} close={close} />
      </Stack>
    </form>
  )
}
