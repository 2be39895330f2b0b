import { z } from 'zod'
import { longText, secretSetting, setting } from '../../drivers/settings.ts'
import { getMessage } from '../../lib/messages/message.ts'

/** The name of a member of an answer or a report, with dots: `data.0.id`. */
const field = () =>
  z
    .string()
    .trim()
    .regex(/^[\w-]{1,60}(?:\.[\w-]{1,60}){0,7}$/, getMessage('sms_http.names_dots_between'))
    .optional()

const words = () => z.string().trim().min(1).max(500)

const PLACEHOLDERS =
  '{phone} is the number with its plus, {msisdn} without it, {text} the text, {id} our reference, {sms} our number of the SMS, {sender} the sender id, {report_url} our address for delivery reports.'

export const settings = z.object({
  url: secretSetting(z.string().trim().min(1).max(4_000), {
    title: 'URL',
    help: `The address of the call, with placeholders where it carries them. ${PLACEHOLDERS}`,
    example: 'https://sms.example.com/send?to={msisdn}&text={text}&key=…',
  }),
  method: setting(z.enum(['POST', 'PUT', 'GET']).default('POST'), {
    title: 'Method',
    help: getMessage('sms_http.get_body'),
  }),
  headers: secretSetting(longText().max(8_000).optional(), {
    title: 'Headers',
    help: 'One on each line, Name: value, or a JSON object. Credentials belong here. Without a content-type the body is JSON.',
    example: 'Authorization: Bearer …',
  }),
  body: secretSetting(longText().max(16_000).optional(), {
    title: 'Body',
    help: 'A template in JSON or as a form, as content-type says. Left out, it is {"to":"{phone}","message":"{text}"}, or to={phone}&message={text}.',
  }),
  id_field: setting(field(), {
    title: 'Id in the answer',
    help: 'Where the provider puts its id of the SMS, in JSON. An answer without it is not counted as sent. Reports can name the SMS by it.',
    example: 'data.0.id',
  }),
  report_status_field: setting(field(), {
    title: 'Status in reports',
    help: 'Where a delivery report states the result of the SMS: in the query, in a form, or in JSON. Without it reports are not read.',
    example: 'status',
  }),
  report_id_field: setting(field(), {
    title: 'Id in reports',
    help: 'Where a delivery report has the id of the answer. Not needed where {report_url} is in the call, because that names the SMS.',
    example: 'id',
  }),
  report_reason_field: setting(field(), {
    title: 'Reason in reports',
    help: 'Where a delivery report says why an SMS was not delivered. It is shown as it is.',
    example: 'error',
  }),
  delivered_words: setting(words().default('delivered, DELIVRD, success'), {
    title: 'Words for delivered',
    help: 'The values of the status that mean that the phone has the SMS, with commas between them. Capitals do not matter.',
  }),
  failed_words: setting(words().default('failed, undelivered, UNDELIV, rejected, REJECTD, expired, error'), {
    title: 'Words for not delivered',
    help: 'The values of the status that mean that the phone will not get the SMS. The usual words of message centres are known besides; any other value means that it is on its way.',
  }),
  incoming_from_field: setting(field(), {
    title: 'Sender of incoming SMS',
    help: 'Where an SMS that a customer has sent names the phone, for STOP.',
    example: 'from',
  }),
  incoming_text_field: setting(field(), {
    title: 'Text of incoming SMS',
    help: 'Where an SMS that a customer has sent has its text.',
    example: 'text',
  }),
})
export type HttpSettings = z.output<typeof settings>
