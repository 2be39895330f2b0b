import { Select, Text, TextInput } from '@mantine/core'
import { api } from '../../api.ts'
import { formatWord } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { SmsConsent } from '../../wire.ts'

const PATH = '/settings/sms/opt-outs'

/** Consent of customers to SMS that are not transactional. */
export default function OptOuts() {
  const { may } = useSession()
  const may_manage = may('manage_organization')
  return (
    <>
      <BackLink to="/sms">{t('shell.nav.sms')}</BackLink>
      <ListPage<SmsConsent>
        title={t('sms.opt_outs.title')}
        about={t('sms.opt_outs.about')}
        path={PATH}
        primary={may_manage && <AddConsent />}
        empty={t('sms.opt_outs.none')}
        filters={[
          { name: 'state', label: t('fields.state'), choices: ['withdrawn', 'given'] },
          { name: 'phonenumber', label: t('fields.phone_number'), placeholder: '+256772000001' },
        ]}
        columns={[
          {
            name: 'phone_number',
            title: t('fields.phone_number'),
            value: (row) => <span className="numeric">{row.phonenumber}</span>,
            file: (row) => row.phonenumber,
          },
          {
            name: 'consent',
            title: t('sms.opt_outs.consent'),
            status: true,
            value: (row) => <Status state={row.state} />,
            file: (row) => formatWord(row.state),
          },
          {
            name: 'source',
            title: t('sms.opt_outs.source'),
            value: (row) => <How consent={row} />,
            file: describeSource,
          },
          {
            name: 'scope',
            title: t('sms.opt_outs.scope'),
            value: (row) => t(row.own ? 'sms.opt_outs.this_organization' : 'sms.opt_outs.all_organizations'),
          },
          {
            name: 'when',
            title: t('sms.opt_outs.when'),
            value: (row) => <Time at={row.at} />,
            file: (row) => ({ time: row.at }),
          },
          {
            name: 'change',
            title: t('sms.opt_outs.change'),
            value: (row) => (may_manage ? <RemoveConsent consent={row} /> : '—'),
            file: false,
          },
        ]}
      />
    </>
  )
}

/** Say in words who has given or withdrawn the consent. */
function describeSource({ word, by }: SmsConsent): string {
  if (word !== null) return t('sms.opt_outs.sent', { word })
  return by ? t('sms.opt_outs.entered_by', { name: by }) : t('sms.opt_outs.entered_by_operator')
}

function How({ consent }: { consent: SmsConsent }) {
  const { word, connection } = consent
  if (word === null) return <>{describeSource(consent)}</>
  return (
    <>
      {describeSource(consent)}
      <Text fz="xs" c="dimmed">
        {connection && t('sms.opt_outs.over', { connection })}
      </Text>
    </>
  )
}

function AddConsent() {
  return (
    <FormDialog
      button={t('sms.opt_outs.add')}
      title={t('sms.opt_outs.add_title')}
      submit={t('sms.opt_outs.add')}
      initial={{ phonenumber: '', state: 'withdrawn', reason: '' }}
      send={(values) => api.post(PATH, values)}
      done={t('sms.applies')}
      fields={(form) => (
        <>
          <TextInput
            label={t('fields.phone_number')}
            type="tel"
            required
            data-autofocus
            {...form.getInputProps('phonenumber')}
          />
          <Select
            label={t('sms.opt_outs.choice')}
            data={[
              { value: 'withdrawn', label: t('sms.opt_outs.withdrawn') },
              { value: 'given', label: t('sms.opt_outs.given') },
            ]}
            allowDeselect={false}
            {...form.getInputProps('state')}
          />
          <Reason form={form.getInputProps('reason')} />
        </>
      )}
    />
  )
}

function RemoveConsent({ consent: { id, phonenumber, state } }: { consent: SmsConsent }) {
  return (
    <FormDialog
      button={t('fields.remove')}
      title={t('sms.opt_outs.remove_title', { phonenumber })}
      submit={t('fields.remove')}
      danger
      look={{ variant: 'default', size: 'xs' }}
      initial={{ reason: '' }}
      send={(values) => api.post(`${PATH}/${id}/remove`, values)}
      done={t('sms.opt_outs.removed')}
      fields={(form) => (
        <>
          <Text fz="sm">{t(state === 'withdrawn' ? 'sms.opt_outs.withdrawn_text' : 'sms.opt_outs.given_text')}</Text>
          <Reason form={form.getInputProps('reason')} />
        </>
      )}
    />
  )
}

function Reason({ form }: { form: object }) {
  return <TextInput label={t('fields.reason')} description={t('sms.opt_outs.reason_about')} required {...form} />
}
