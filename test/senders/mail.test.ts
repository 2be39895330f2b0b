import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WrongSetting } from '../../src/lib/wrong-setting.ts'
import { createMailer } from '../../src/senders/mail.ts'

/** A mail server with the commands that one message needs (RFC 5321). */
let server: Server
let port: number
let received = ''
let refuses = false
/** Milliseconds that the server takes to scan a mail. */
let scan_ms = 0

beforeAll(async () => {
  server = createServer((socket) => {
    let inBody = false
    socket.write('220 mail.example ready\r\n')
    socket.on('data', (chunk) => {
      const text = chunk.toString()
      received += text
      if (inBody) {
        // The end may arrive in several chunks.
        if (!received.endsWith('\r\n.\r\n')) return
        inBody = false
        setTimeout(() => socket.write('250 accepted\r\n'), scan_ms)
        return
      }
      if (/^QUIT/i.test(text)) socket.end('221 bye\r\n')
      else if (/^DATA/i.test(text)) {
        inBody = true
        socket.write('354 go on\r\n')
      } else socket.write(refuses && /^RCPT/i.test(text) ? '550 no such person\r\n' : '250 fine\r\n')
    })
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as { port: number }).port
})
afterAll(() => server.close())

const settings = () => ({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'pay@shop.example', SERVICE_NAME: 'Shop' })
const mail = { to: 'grace@shop.example', subject: 'Hello', text: 'Follow this link.' }

it('is null without a server, and a wrong setting without a sender', () => {
  expect(createMailer({ SERVICE_NAME: 'Shop' })).toBeNull()
  expect(() => createMailer({ ...settings(), MAIL_FROM: undefined })).toThrow(WrongSetting)
})

it('sends a message to the mail server', async () => {
  await createMailer(settings())!.send(mail)
  expect(received).toContain('MAIL FROM:<pay@shop.example>')
  expect(received).toContain('RCPT TO:<grace@shop.example>')
  expect(received).toContain('From: Shop <pay@shop.example>')
  expect(received).toContain('Follow this link.')
})

it.each(['x,grace@shop.example', 'x;grace@shop.example', 'x:grace@shop.example', 'x<grace@shop.example'])(
  'sends a mail for %s to no other address',
  async (to) => {
    received = ''
    await createMailer(settings())!.send({ ...mail, to })
    expect(received).not.toContain('RCPT TO:<grace@shop.example>')
    expect(received).toMatch(/RCPT TO:<"x.grace"@shop\.example>/)
  },
)

it('waits longer for a mail of the outbox than while a person waits', async () => {
  const mailer = createMailer(settings(), { person: 200, outbox: 10_000 })!
  scan_ms = 500
  received = ''
  await expect(mailer.send(mail)).rejects.toThrow()
  await mailer.send({ ...mail, outbox_id: 'abc123' })
  scan_ms = 0
  expect(received).toContain('Message-ID: <abc123@shop.example>')
})

it('throws when the mail server refuses', async () => {
  refuses = true
  await expect(createMailer(settings())!.send(mail)).rejects.toThrow('no such person')
})

it('lets no text control the program that shows the message', async () => {
  received = ''
  refuses = false
  const subject = 'Invoice of Gra\u202ece\r\nBcc: joyce@shop.example\u001b[2J'
  await createMailer(settings())!.send({ to: mail.to, subject, text: 'Line\u2028of \u001b]0;x\u0007Grace' })
  expect(received).toContain('Subject: Invoice of Grace Bcc: joyce@shop.example[2J')
  expect(received).not.toMatch(/^Bcc/im)
  expect(received).toContain('Line\r\nof ]0;xGrace')
})
