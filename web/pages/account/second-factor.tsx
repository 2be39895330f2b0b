import { Badge, Button, Code, CopyButton, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { renderSVG } from 'uqr'
import { api } from '../../api.ts'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { sessionQuery, useSession } from '../../session.tsx'

/** A step of the dialog. */
type Step =
  | { name: 'password'; action: 'on' | 'off' | 'codes' }
  | { name: 'scan'; secret: string; uri: string }
  | { name: 'codes'; codes: string[] }

/** The second factor: an authenticator app, and recovery codes for a lost phone. */
export function SecondFactorPanel() {
  const { user } = useSession()
  const client = useQueryClient()
  const [opened, { open, close: hide }] = useDisclosure()
  // Kept while the dialog closes, so that its content does not change during the animation.
  const [step, setStep] = useState<Step>({ name: 'password', action: 'on' })
  const close = () => {
    hide()
    client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    // Turning the second factor on signs out all other browsers.
    client.invalidateQueries({ queryKey: ['/account/sessions'] })
  }
  const on = user?.second_factor
  const ask = (action: 'on' | 'off' | 'codes') => {
    setStep({ name: 'password', action })
    open()
  }
  return (
    <Panel
      title="Second step"
      about="A code from an app on your phone, asked for after the password."
      actions={
        <Badge variant="dot" color={on ? 'green' : 'gray'} tt="none">
          {on ? 'On' : 'Off'}
        </Badge>
      }
    >
      <Group>
        {on ? (
          <>
            <Button variant="default" onClick={() => ask('codes')}>
              New recovery codes
            </Button>
            <Button variant="default" onClick={() => ask('off')}>
              Turn it off
            </Button>
          </>
        ) : (
          <Button onClick={() => ask('on')}>Turn it on</Button>
        )}
      </Group>
      <Modal opened={opened} onClose={close} title={titles[step.name]}>
        {step.name === 'password' && <AskPassword action={step.action} next={setStep} close={close} />}
        {step.name === 'scan' && <Scan {...step} next={setStep} />}
        {step.name === 'codes' && <RecoveryCodes codes={step.codes} close={close} />}
      </Modal>
    </Panel>
  )
}

const titles: Record<Step['name'], string> = {
  password: 'Is it you?',
  scan: 'Scan this with your app',
  codes: 'Your recovery codes',
}

interface AskPasswordProps {
  action: 'on' | 'off' | 'codes'
  next(step: Step): void
  close(): void
}

function AskPassword({ action: wish, next, close }: AskPasswordProps) {
  const form = useForm({ initialValues: { password: '' } })
  const send = async (values: { password: string }): Promise<Step | undefined> => {
    if (wish === 'on')
      return { name: 'scan', ...(await api.post<{ secret: string; uri: string }>('/account/second-factor', values)) }
    if (wish === 'codes') {
      const made = await api.post<{ recovery_codes: string[] }>('/account/recovery-codes', values)
      return { name: 'codes', codes: made.recovery_codes }
    }
    await api.delete('/account/second-factor', values)
    return undefined
  }
  const { onSubmit, pending, error } = useSubmit(form, send, (step) => {
    if (step) return next(step)
    notifications.show({ color: 'green', message: 'The second step is off.' })
    close()
  })
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          required
          data-autofocus
          {...form.getInputProps('password')}
        />
        <Problem error={error} />
        <Button type="submit" loading={pending}>
          Go on
        </Button>
      </Stack>
    </form>
  )
}

function Scan({ secret, uri, next }: { secret: string; uri: string; next(step: Step): void }) {
  const picture = useMemo(() => `data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(uri))}`, [uri])
  const form = useForm({ initialValues: { code: '' } })
  const { onSubmit, pending, error } = useSubmit(
    form,
    (values) => api.put<{ recovery_codes: string[] }>('/account/second-factor', values),
    (made) => next({ name: 'codes', codes: made.recovery_codes }),
  )
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <img src={picture} alt="QR code for your authenticator app" width={200} height={200} className="qr-code" />
        <Text fz="sm">
          Or type this key into it: <Code>{secret}</Code>
        </Text>
        <TextInput
          label="The code that the app shows"
          autoComplete="one-time-code"
          required
          {...form.getInputProps('code')}
        />
        <Problem error={error} />
        <Button type="submit" loading={pending}>
          Turn it on
        </Button>
      </Stack>
    </form>
  )
}

function RecoveryCodes({ codes, close }: { codes: string[]; close(): void }) {
  return (
    <Stack>
      <Text fz="sm">
        Each of these takes the place of your phone once. Keep them where you keep passwords: they are shown only now.
      </Text>
      <Code block>{codes.join('\n')}</Code>
      <CopyButton value={codes.join('\n')}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
      <Button onClick={close}>I have kept them</Button>
    </Stack>
  )
}
