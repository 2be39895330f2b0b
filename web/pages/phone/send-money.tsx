import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, api } from '../../api.ts'
import { t } from '../../texts/index.ts'

const currencies = ['BXC', 'UGX', 'KES', 'NGN']

/** Send an unsolicited payment from the customer. */
export function SendMoney({ phone, close }: { phone: string; close(): void }) {
  const [payment, setPayment] = useState({ amount: '', currency: 'BXC', reference: '' })
  const client = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.post(`/simulator/phones/${encodeURIComponent(phone)}/pay`, payment),
    onSuccess: () => {
      client.invalidateQueries()
      close()
    },
  })
  const change = (field: keyof typeof payment) => (event: FormEvent<HTMLInputElement | HTMLSelectElement>) =>
    setPayment({ ...payment, [field]: event.currentTarget.value })
  const send = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <div className="phone-prompt" role="dialog" aria-label={t('phone.send.title')}>
      <form className="phone-sheet" onSubmit={send}>
        <h3>{t('phone.send.title')}</h3>
        <label className="phone-field">
          {t('phone.request.amount')}
          <input inputMode="decimal" value={payment.amount} onChange={change('amount')} />
        </label>
        <label className="phone-field">
          {t('phone.request.currency')}
          <select value={payment.currency} onChange={change('currency')}>
            {currencies.map((code) => (
              <option key={code}>{code}</option>
            ))}
          </select>
        </label>
        <label className="phone-field">
          {t('phone.send.reference')}
          <input value={payment.reference} onChange={change('reference')} />
        </label>
        {error && <span className="phone-fault">{errorText(error)}</span>}
        <div className="phone-dock">
          <button type="button" className="phone-button" onClick={close}>
            {t('phone.send.back')}
          </button>
          <button type="submit" className="phone-button" data-kind="main" disabled={isPending}>
            {t('phone.send.submit')}
          </button>
        </div>
        <div className="phone-bar" aria-hidden />
      </form>
    </div>
  )
}

function errorText(error: Error): string {
  return error instanceof ApiError ? Object.values(error.fields).flat().join(' ') || error.message : error.message
}
