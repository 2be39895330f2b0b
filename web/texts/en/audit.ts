/** The audit log. Its actions and details are records, which stay in English. */
export const audit = {
  about:
    'User actions in the console, changes made with API keys, and operator actions on the command line. Entries cannot be changed.',
  empty: 'No entries yet.',
  archived:
    'Entries up to {{time}} are archived. An operator can read them with <code>npx kusanya archive search --kind audit</code>.',
  action: 'Action',
  time: 'Time',
  actor: 'User',
  object: 'Object',
  details: 'Details',
  address: 'IP address',
  key: 'API key {{name}} ({{user}})',
  person: 'User',
  object_type: 'Object type',
  object_id: 'Object ID',
  link: 'Audit log',
} as const
