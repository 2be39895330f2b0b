import { Button, SegmentedControl, Text } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { api } from '../../api.ts'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useSession } from '../../session.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { FirstSteps as Done } from '../../wire.ts'
import { NewCollectionRequest } from '../new-collection-request.tsx'
import { NewPaymentLink } from '../payment-links/new-payment-link.tsx'
import { InviteDialog, type Sent, SentNotice } from '../users/dialogs.tsx'
import { PageLink, ProgramSteps } from './program-steps.tsx'
import { Step } from './step.tsx'

const PROGRAM = ['request', 'paid', 'webhook'] as const
const PEOPLE = ['request', 'paid', 'payment_link', 'invoice', 'colleague', 'approval_rule'] as const

/** The first steps of newcomers, in the console and from a program. A finished step leaves; the user can hide the rest. */
export function FirstSteps() {
  const { organization } = useSession()
  const [hidden, setHidden] = useLocalStorage({
    key: `first-steps-done-${organization?.id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const { data, error, refetch } = useQuery({
    queryKey: ['/first-steps'],
    queryFn: () => api.get<Done>('/first-steps'),
    enabled: !hidden,
  })
  // The link of an invitation is shown once, and stays when its step leaves.
  const [sent, setSent] = useState<SentTo>()
  const notice = sent && <SentNotice {...sent} close={() => setSent(undefined)} />
  if (hidden) return notice
  if (error && !data) return <Problem error={error} retry={refetch} />
  if (!data || [...PEOPLE, ...PROGRAM].every((name) => data[name])) return notice
  return (
    <Panel
      title={t('home.steps.title')}
      about={t('home.steps.about')}
      actions={
        <Button variant="subtle" size="xs" onClick={() => setHidden(true)}>
          {t('home.steps.hide')}
        </Button>
      }
    >
      {notice}
      <Steps done={data} onSent={setSent} />
    </Panel>
  )
}

type SentTo = Sent & { to: string }

function Steps({ done, onSent }: { done: Done; onSent(sent: SentTo): void }) {
  const [way, setWay] = useLocalStorage({
    key: 'first-steps-way',
    defaultValue: 'people',
    getInitialValueInEffect: false,
  })
  const isLeft = (name: keyof Done) => !done[name]
  const left = way === 'program' ? PROGRAM.filter(isLeft) : PEOPLE.filter(isLeft)
  return (
    <>
      <SegmentedControl
        aria-label={t('home.steps.way')}
        value={way}
        onChange={setWay}
        data={[
          { value: 'people', label: t('home.steps.people') },
          { value: 'program', label: t('home.steps.program') },
        ]}
        maw={420}
      />
      {left.length === 0 && (
        <Text fz="sm" role="status">
          {t('home.steps.all_done')}
        </Text>
      )}
      {way === 'program' ? (
        <ProgramSteps left={PROGRAM.filter(isLeft)} />
      ) : (
        <PeopleSteps left={PEOPLE.filter(isLeft)} onSent={onSent} />
      )}
    </>
  )
}

/** The steps of a person, each with its form or the way there. */
function PeopleSteps({ left, onSent }: { left: readonly (typeof PEOPLE)[number][]; onSent(sent: SentTo): void }) {
  const steps: Record<(typeof PEOPLE)[number], [title: string, about: ReactNode, action: ReactNode]> = {
    request: [t('home.steps.request'), t('home.steps.request_person'), <NewCollectionRequest key="request" small />],
    paid: [
      t('home.steps.approve'),
      <Trans key="paid" i18nKey="home.steps.approve_text" components={{ a: <PageLink to="/phone" /> }} />,
      <LinkButton key="phone" to="/phone" text={t('shell.nav.phone')} />,
    ],
    payment_link: [t('home.steps.link'), t('home.steps.link_text'), <NewPaymentLink key="link" small />],
    invoice: [
      t('home.steps.invoice'),
      t('home.steps.invoice_text'),
      <LinkButton key="invoice" to="/invoices/new" text={t('invoices.editor.new')} />,
    ],
    colleague: [t('home.steps.colleague'), t('home.steps.colleague_text'), <Invite key="invite" onSent={onSent} />],
    approval_rule: [
      t('home.steps.rule'),
      t('home.steps.rule_text'),
      <LinkButton key="rule" to="/settings" text={t('shell.nav.settings')} />,
    ],
  }
  return left.map((name, index) => {
    const [title, about, action] = steps[name]
    return (
      <Step key={name} number={index + 1} title={title} about={about}>
        {action}
      </Step>
    )
  })
}

function LinkButton({ to, text }: { to: string; text: string }) {
  return (
    <Button component={Link} to={to} variant="default" size="xs">
      {text}
    </Button>
  )
}

function Invite({ onSent }: { onSent(sent: SentTo): void }) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" size="xs" aria-haspopup="dialog" onClick={open}>
        {t('users.invite')}
      </Button>
      <InviteDialog opened={opened} close={close} onSent={onSent} />
    </>
  )
}
