import { Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { api } from '../../api.ts'
import { Facts } from '../../parts/facts.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { t } from '../../texts/index.ts'
import type { Settings } from '../../wire.ts'

type Seller = Settings['seller']

/** The details of the seller on invoices, receipts, statements and reports. */
export function SellerPanel({ seller, changed }: Pick<Settings, 'seller'> & { changed(): void }) {
  const send = async (values: Seller) => {
    await api.put('/settings/seller', values)
    changed()
  }
  const shown = (value: string) => value || t('settings.seller.none')
  return (
    <Panel
      title={t('settings.seller.title')}
      about={t('settings.seller.about')}
      actions={
        <FormDialog
          button={t('settings.seller.form_title')}
          title={t('settings.seller.form_title')}
          submit={t('settings.save')}
          look={{ variant: 'default', size: 'xs' }}
          initial={seller}
          send={send}
          done={t('settings.seller.done')}
          fields={(form) => <SellerFields form={form} />}
        />
      }
    >
      <Facts
        bare
        facts={[
          [t('settings.seller.legal_name'), shown(seller.legal_name)],
          [
            t('settings.seller.address'),
            <span key="address" style={{ whiteSpace: 'pre-line' }}>
              {shown(seller.address)}
            </span>,
          ],
          [t('settings.seller.tax_number'), shown(seller.tax_number)],
          [t('settings.seller.phone'), shown(seller.phone)],
          [t('settings.seller.email'), shown(seller.email)],
          [t('settings.seller.payment_terms'), shown(seller.payment_terms)],
        ]}
      />
    </Panel>
  )
}

function SellerFields({ form }: { form: UseFormReturnType<Seller> }) {
  return (
    <>
      <TextInput
        label={t('settings.seller.legal_name')}
        description={t('settings.seller.legal_name_about')}
        data-autofocus
        {...form.getInputProps('legal_name')}
      />
      <Textarea
        label={t('settings.seller.address')}
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('address')}
      />
      <TextInput label={t('settings.seller.tax_number')} {...form.getInputProps('tax_number')} />
      <TextInput label={t('settings.seller.phone')} type="tel" {...form.getInputProps('phone')} />
      <TextInput label={t('settings.seller.email')} {...form.getInputProps('email')} />
      <TextInput
        label={t('settings.seller.payment_terms')}
        description={t('settings.seller.payment_terms_about')}
        {...form.getInputProps('payment_terms')}
      />
    </>
  )
}
