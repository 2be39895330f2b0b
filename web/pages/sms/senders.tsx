import { Group, Switch, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { t } from '../../texts/index.ts'
import type { SmsSettings } from '../../wire.ts'

type Sender = SmsSettings['senders'][number]

/** Senders that phones show, by country. */
export function Senders({ settings: { senders, editable } }: { settings: SmsSettings }) {
  return (
    <Panel title={t('sms.senders.title')} about={t('sms.senders.about')} actions={editable && <SenderForm />}>
      {senders.length === 0 ? (
        <Text fz="sm">{t('sms.senders.none')}</Text>
      ) : (
        senders.map((sender) => (
          <Group key={sender.id} justify="space-between" wrap="nowrap">
            <Text fz="sm" className="any-break">
              {describeSender(sender)}
            </Text>
            {editable && <RemoveSender sender={sender} />}
          </Group>
        ))
      )}
    </Panel>
  )
}

function describeSender({ sender_id, country, own }: Sender): string {
  return t(own ? 'sms.senders.line' : 'sms.senders.line_all', {
    sender_id,
    country: country ?? t('sms.all_countries'),
  })
}

function RemoveSender({ sender }: { sender: Sender }) {
  const client = useQueryClient()
  return (
    <Confirm
      button={t('fields.remove')}
      title={t('sms.senders.remove_title')}
      act={() => api.delete(`/settings/sms/senders/${sender.id}`)}
      done={() => client.invalidateQueries({ queryKey: ['/settings/sms'] })}
    >
      {t('sms.senders.remove_text', { sender: describeSender(sender) })}
    </Confirm>
  )
}

function SenderForm() {
  return (
    <FormDialog
      button={t('sms.senders.set')}
      title={t('sms.senders.set')}
      submit={t('fields.save')}
      look={{ variant: 'default', size: 'xs' }}
      initial={{ sender_id: '', country: '', own: true }}
      send={(values) => api.put('/settings/sms/senders', values)}
      done={t('sms.senders.done')}
      fields={(form) => (
        <>
          <TextInput
            label={t('sms.senders.id')}
            description={t('sms.senders.id_about')}
            required
            data-autofocus
            {...form.getInputProps('sender_id')}
          />
          <TextInput
            label={t('fields.country')}
            description={t('fields.country_about')}
            {...form.getInputProps('country')}
          />
          <Switch
            label={t('sms.senders.own')}
            description={t('sms.senders.own_about')}
            {...form.getInputProps('own', { type: 'checkbox' })}
          />
        </>
      )}
    />
  )
}
