import { Select, Text, TextInput } from '@mantine/core'
import { api } from '../../api.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import type { SmsConsent } from '../../wire.ts'

const PATH = '/settings/sms/opt-outs'

/** What customers said about SMS that are not transactional. */
export default function OptOuts() {
  const { may } = useSession()
  const may_manage = may('manage_organization')
  return (
    <>
      <BackLink to="/sms">SMS</BackLink>
      <ListPage<SmsConsent>
        title="Opt-outs"
        about="Who wants no SMS besides those about their own payments, and who has agreed to get them."
        path={PATH}
        actions={may_manage && <AddConsent />}
        empty="No customer has sent STOP or START."
        poll_ms={10_000}
        filters={[
          { name: 'state', label: 'State', choices: ['withdrawn', 'given'] },
          { name: 'phonenumber', label: 'Phone number', placeholder: '+256772000001' },
        ]}
        columns={[
          { title: 'Phone number', value: (row) => <span className="numeric">{row.phonenumber}</span> },
          { title: 'Consent', value: (row) => <Status of={row.state} /> },
          { title: 'How', value: (row) => <How consent={row} /> },
          { title: 'Counts for', value: (row) => (row.own ? 'This organization' : 'All organizations') },
          { title: 'When', value: (row) => <Time at={row.at} /> },
          { title: 'Change', value: (row) => (may_manage ? <RemoveConsent consent={row} /> : '—') },
        ]}
      />
    </>
  )
}

function How({ consent: { word, connection, by } }: { consent: SmsConsent }) {
  if (word === null) return <>Entered by {by ?? 'the operator'}</>
  return (
    <>
      Sent “{word}”
      <Text fz="xs" c="dimmed">
        over {connection}
      </Text>
    </>
  )
}

function AddConsent() {
  return (
    <FormDialog
      button="Add"
      title="Note what a customer said"
      submit="Add"
      initial={{ phonenumber: '', state: 'withdrawn', reason: '' }}
      send={(values) => api.post(PATH, values)}
      done="It counts from now on."
      fields={(form) => (
        <>
          <TextInput label="Phone number" type="tel" required data-autofocus {...form.getInputProps('phonenumber')} />
          <Select
            label="What the customer wants"
            data={[
              { value: 'withdrawn', label: 'No more such SMS' },
              { value: 'given', label: 'Such SMS' },
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
      button="Remove"
      title={`Forget what ${phonenumber} said`}
      submit="Remove"
      danger
      look={{ variant: 'default', size: 'xs' }}
      initial={{ reason: '' }}
      send={(values) => api.post(`${PATH}/${id}/remove`, values)}
      done="It is removed."
      fields={(form) => (
        <>
          <Text fz="sm">
            {state === 'withdrawn'
              ? 'SMS that people write go to this number again, where the rules of its country allow it.'
              : 'Where consent is needed, SMS that people write do not go to this number any more.'}
          </Text>
          <Reason form={form.getInputProps('reason')} />
        </>
      )}
    />
  )
}

function Reason({ form }: { form: object }) {
  return <TextInput label="Reason" description="The audit log keeps it. Write no phone number." required {...form} />
}
