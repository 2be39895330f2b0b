import { Box } from '@mantine/core'
import { IconAntennaBars5, IconBattery4, IconWifi } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { timeFormat } from '../../format.ts'
import { t } from '../../texts/index.ts'
import type { Phone } from '../../wire.ts'

/** The drawing of a phone: the case, the line with the time, and the content of the screen. */
export function Handset({ label, now, children }: { label: string; now: string | undefined; children: ReactNode }) {
  return (
    <section className="phone" aria-label={label}>
      <div className="phone-screen">
        <div className="phone-status">
          <span className="numeric">{now ? formatTimeOfDay(now) : '–:–'}</span>
          <span aria-hidden>
            <IconAntennaBars5 size={16} />
            <IconWifi size={15} />
            <IconBattery4 size={18} />
          </span>
        </div>
        <div className="phone-island" aria-hidden />
        {children}
      </div>
    </section>
  )
}

/** The SMS of the customer, newest at the bottom and scrolled into view. */
export function Messages({ from, texts }: { from: string; texts: Phone['texts'] }) {
  const end = useRef<HTMLDivElement>(null)
  const newest = texts.at(-1)?.id
  useEffect(() => {
    if (newest && end.current) end.current.scrollTop = end.current.scrollHeight
  }, [newest])
  return (
    <>
      <div className="phone-head">
        <span className="phone-avatar" aria-hidden>
          {from.charAt(0)}
        </span>
        {from}
      </div>
      {texts.length === 0 ? (
        <p className="phone-quiet">{t('phone.no_messages')}</p>
      ) : (
        <Box className="phone-scroll" ref={end} tabIndex={0} role="region" aria-label={t('phone.messages')}>
          <ul className="phone-thread">
            {texts.map((text) => (
              <li key={text.id}>
                <div className="phone-bubble">{text.body}</div>
                <div className="phone-when">{formatTimeOfDay(text.created)}</div>
              </li>
            ))}
          </ul>
        </Box>
      )}
    </>
  )
}

const formatTimeOfDay = timeFormat({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
