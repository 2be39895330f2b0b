import { IconBackspace } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { api } from '../../api.ts'
import { formatMoney } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { hasNoFocus } from '../../shell/page-focus.ts'
import { t } from '../../texts/index.ts'
import type { Phone } from '../../wire.ts'

const MAX_PIN_LENGTH = 8
const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const

/** The prompt of the network: amount and sender, and a keypad for the PIN if the user may answer. */
export function Prompt({ phone, prompt }: { phone: string; prompt: Phone['prompts'][number] }) {
  const mine = useSession().may('initiate_collections')
  const [pin, setPin] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // Keep the focus if the user is typing elsewhere.
    if (hasNoFocus()) field.current?.focus()
  }, [])
  const client = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (answer: { answer: 'approve' | 'refuse'; pin?: string }) =>
      api.post(`/simulator/phones/${encodeURIComponent(phone)}/answer`, { reference: prompt.reference, ...answer }),
    onSettled: () => client.invalidateQueries({ queryKey: ['phone', phone] }),
  })
  const type = (digit: string) => setPin((before) => (before + digit).slice(0, MAX_PIN_LENGTH))
  const send = (event: FormEvent) => {
    event.preventDefault()
    mutate({ answer: 'approve', pin })
  }
  return (
    <div className="phone-prompt" role="dialog" aria-label={t('phone.prompt.label')}>
      <form className="phone-sheet" onSubmit={send}>
        <h3>{t('phone.prompt.heading')}</h3>
        <div>
          <div className="phone-sum">{formatMoney(prompt.amount, prompt.currency)}</div>
          <p>
            {prompt.reason
              ? t('phone.prompt.receiver_reason', { receiver: prompt.from, reason: prompt.reason })
              : t('phone.prompt.receiver', { receiver: prompt.from })}
          </p>
        </div>
        {mine && (
          <>
            <input
              ref={field}
              className="phone-pin"
              type="password"
              inputMode="numeric"
              autoComplete="off"
              aria-label={t('phone.prompt.pin')}
              placeholder={t('phone.prompt.pin')}
              value={pin}
              onChange={(event) => setPin(event.currentTarget.value.replace(/\D/g, '').slice(0, MAX_PIN_LENGTH))}
            />
            <Keys press={type} back={() => setPin(pin.slice(0, -1))} />
            {error && <span className="phone-fault">{error.message}</span>}
            <div className="phone-dock">
              <button
                type="button"
                className="phone-button"
                data-kind="danger"
                disabled={isPending}
                onClick={() => mutate({ answer: 'refuse' })}
              >
                {t('phone.prompt.reject')}
              </button>
              <button type="submit" className="phone-button" data-kind="main" disabled={isPending || pin === ''}>
                {t('phone.prompt.pay')}
              </button>
            </div>
          </>
        )}
        <div className="phone-bar" aria-hidden />
      </form>
    </div>
  )
}

function Keys({ press, back }: { press(digit: string): void; back(): void }) {
  return (
    <div className="phone-keys">
      {digits.map((digit) => (
        <button key={digit} type="button" onClick={() => press(digit)}>
          {digit}
        </button>
      ))}
      <span />
      <button type="button" onClick={() => press('0')}>
        0
      </button>
      <button type="button" aria-label={t('phone.prompt.delete_digit')} onClick={back}>
        <IconBackspace size={22} />
      </button>
    </div>
  )
}
