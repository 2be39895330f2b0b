import { Badge, Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { renderSVG } from 'uqr'
import { api } from '../../api.ts'
import { FormButtons } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { sessionQuery, useSession } from '../../session.tsx'
import { Trans, t } from '../../texts/index.ts'
import { type Confirmation, ConfirmForm, secondFactorsQuery } from './confirm-form.tsx'
import { PasskeyList } from './passkeys.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type Action = 'on' | 'off' | 'codes'

/** A step of the dialog. */
type Step =
  | { name: 'confirm'; action: Action }
  | { name: 'scan'; secret: string; uri: string }
  | { name: 'codes'; codes: string[] }

/** The second factors: passkeys, an authenticator app, and recovery codes for when these are lost. */
export function SecondFactorPanel() {
  const { user } = useSession()
  const client = useQueryClient()
  const { data: factors } = useQuery(secondFactorsQuery)
  const [opened, { open, close: hide }] = useDisclosure()
  // Kept while the dialog closes, so that its content does not change during the animation.
  const [step, setStep] = useState<Step>({ name: 'confirm', action: 'on' })
  const close = () => {
    hide()
    client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    client.invalidateQueries({ queryKey: secondFactorsQuery.queryKey })
    client.invalidateQueries({ queryKey: ['/go-live'] })
    // The first second factor signs out all other browsers.
    client.invalidateQueries({ queryKey: ['/account/sessions'] })
  }
  const on = user?.second_factor
  const show = (next: Step) => {
    setStep(next)
    open()
  }
  const ask = (action: Action) => show({ name: 'confirm', action })
  return (
    <Panel
      title={t('account.second_factor.title')}
      about={t('account.second_factor.about')}
      actions={
        <Badge variant="dot" color={on ? 'green' : 'gray'} tt="none">
          {t(on ? 'account.second_factor.on' : 'account.second_factor.off')}
        </Badge>
      }
    >
      <PasskeyList onCodes={(codes) => show({ name: 'codes', codes })} />
      <Part title={t('account.app.title')} about={t('account.app.about')}>
        {factors?.app ? (
          <Button variant="default" size="xs" aria-haspopup="dialog" onClick={() => ask('off')}>
            {t('account.app.turn_off')}
          </Button>
        ) : (
          <Button variant="default" size="xs" aria-haspopup="dialog" onClick={() => ask('on')}>
            {t('account.app.turn_on')}
          </Button>
        )}
      </Part>
      {on && (
        <Part
          title={t('account.recovery.title')}
          about={t('account.recovery.left', { count: factors?.recovery_codes ?? 0 })}
        >
          <Button variant="default" size="xs" aria-haspopup="dialog" onClick={() => ask('codes')}>
            {t('account.recovery.replace')}
          </Button>
        </Part>
      )}
      <Modal opened={opened} onClose={close} title={titles[step.name]}>
        {step.name === 'confirm' && <Confirm action={step.action} next={setStep} close={close} />}
        {step.name === 'scan' && <Scan {...step} next={setStep} close={close} />}
        {step.name === 'codes' && <RecoveryCodes codes={step.codes} close={close} />}
      </Modal>
    </Panel>
  )
}

function Part({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <Group justify="space-between">
      <div>
        <Text fz="sm" fw={600}>
          {title}
        </Text>
        <Text fz="sm" c="dimmed">
          {about}
        </Text>
      </div>
      {children}
    </Group>
  )
}

const titles: Record<Step['name'], string> = {
  confirm: t('account.confirm.title'),
  scan: t('account.app.scan_title'),
  codes: t('account.recovery.shown_title'),
}

/** Send an action with its confirmation. @returns the step that follows; undefined after the last one */
async function send(action: Action, confirmation: Confirmation): Promise<Step | undefined> {
  if (action === 'on')
    return {
      name: 'scan',
      ...(await api.post<{ secret: string; uri: string }>('/account/second-factor', confirmation)),
    }
  if (action === 'codes') {
    const made = await api.post<{ recovery_codes: string[] }>('/account/recovery-codes', confirmation)
    return { name: 'codes', codes: made.recovery_codes }
  }
  await api.delete('/account/second-factor', confirmation)
  return undefined
}

function Confirm({ action, next, close }: { action: Action; next(step: Step): void; close(): void }) {
  const done = (step: Step | undefined) => {
    if (step) return next(step)
    notifications.show({ color: 'green', message: t('account.app.turned_off') })
    close()
  }
  return <ConfirmForm close={close} send={(confirmation) => send(action, confirmation)} done={done} />
}

function Scan(props: { secret: string; uri: string; next(step: Step): void; close(): void }) {
  const { secret, uri, next, close } = props
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
        <img src={picture} alt={t('account.app.qr_code')} width={200} height={200} className="qr-code" />
        <Text fz="sm">
          <Trans i18nKey="account.app.key" values={{ secret }} components={{ code: <Code /> }} />
        </Text>
        <TextInput
          label={t('account.app.code')}
          autoComplete="one-time-code"
          required
          {...form.getInputProps('code')}
        />
        <Problem error={error} />
        <FormButtons submit={t('account.app.turn_on')} pending={pending} close={close} />
      </Stack>
    </form>
  )
}
