/** The columns with groups of customers. */
export const tagColumns = ['tags', 'class', 'stream', 'group', 'branch', 'route'] as const

/** Payers of a customer, each with a column for the name and one for the phone. */
export const payerColumns = ['payer_1', 'payer_2', 'payer_3', 'mother', 'father', 'guardian', 'sponsor'] as const

/** The columns of a file of contacts, in the order of the template. */
export const columns = [
  ...(['phone_number', 'first_name', 'last_name', 'email', 'type', 'name', 'number', 'notes', 'payers'] as const),
  ...tagColumns,
  ...(['payer_1_name', 'payer_1_phone', 'payer_2_name', 'payer_2_phone', 'payer_3_name', 'payer_3_phone'] as const),
  ...(['mother_name', 'mother_phone', 'father_name', 'father_phone'] as const),
  ...(['guardian_name', 'guardian_phone', 'sponsor_name', 'sponsor_phone'] as const),
] as const
export type Column = (typeof columns)[number]

/*
 * Titles that files of customers have in the languages of the console: in small letters without accents, blanks and signs.
 */

type Titles = Readonly<Record<string, Column>>

function titlesOf(column: Column, ...titles: readonly string[]): Titles {
  return Object.fromEntries(titles.map((title) => [title, column]))
}

export const NAME_TITLES: Titles = {
  ...titlesOf('first_name', 'givenname', 'givennames', 'forename', 'prenom', 'prenoms', 'jinalakwanza'),
  ...titlesOf('last_name', 'surname', 'familyname', 'nomdefamille', 'jinalamwisho', 'jinalaukoo', 'ukoo'),
  ...titlesOf('email', 'emailaddress', 'mail', 'courriel', 'adresseemail', 'adressemail', 'baruapepe'),
  ...titlesOf('type', 'aina'),
  ...titlesOf('name', 'fullname', 'customer', 'customername', 'contact', 'contactname', 'names'),
  ...titlesOf('name', 'pupil', 'pupilname', 'pupilsname', 'nameofpupil', 'student', 'studentname', 'studentsname'),
  ...titlesOf('name', 'nameofstudent', 'learner', 'learnername', 'learnersname', 'child', 'childname', 'childsname'),
  ...titlesOf('name', 'member', 'membername', 'clientname', 'nom', 'nomcomplet', 'nometprenom', 'nometprenoms'),
  ...titlesOf('name', 'client', 'eleve', 'nomdeleleve', 'nomdeleve', 'etudiant', 'enfant', 'nomdelenfant'),
  ...titlesOf('name', 'jina', 'jinakamili', 'mteja', 'jinalamteja', 'mwanafunzi', 'jinalamwanafunzi'),
  ...titlesOf('notes', 'note', 'remark', 'remarks', 'comment', 'comments', 'remarque', 'remarques'),
  ...titlesOf('notes', 'commentaire', 'commentaires', 'observation', 'observations', 'maelezo', 'maoni'),
}

/** Titles that take a number in English. */
const NUMBERED = [
  'customer',
  'client',
  'account',
  'acc',
  'admission',
  'adm',
  'registration',
  'reg',
  'student',
  'pupil',
  'learner',
  'member',
  'membership',
  'index',
  'roll',
  'studentregistration',
  'meter',
  'patient',
]

export const NUMBER_TITLES: Titles = {
  ...titlesOf(
    'number',
    ...NUMBERED.flatMap((word) => ['number', 'no', 'num', 'nr', 'id', 'code'].map((ending) => word + ending)),
  ),
  ...titlesOf('number', 'customernumbers', 'adm', 'admission', 'account', 'matricule', 'numeromatricule'),
  ...titlesOf('number', 'numeroclient', 'numerodeclient', 'numeroduclient', 'nclient', 'ndeclient', 'codeclient'),
  ...titlesOf('number', 'numeroeleve', 'numerodeleve', 'numerodeleleve', 'neleve', 'ndeleve', 'codeeleve'),
  ...titlesOf('number', 'numerodadmission', 'numerodinscription', 'ndadmission', 'ndinscription', 'numerodecompte'),
  ...titlesOf('number', 'compte', 'ndecompte', 'numeroetudiant', 'numerodetudiant'),
  ...titlesOf('number', 'nambayamteja', 'nambariyamteja', 'nambayamwanafunzi', 'nambariyamwanafunzi'),
  ...titlesOf('number', 'nambayausajili', 'nambariyausajili', 'nambayakujiunga', 'nambariyakujiunga'),
  ...titlesOf('number', 'nambayaakaunti', 'nambariyaakaunti', 'akaunti'),
}

export const TAG_TITLES: Titles = {
  ...titlesOf('tags', 'tag', 'etiquette', 'etiquettes', 'lebo'),
  ...titlesOf('class', 'classname', 'grade', 'form', 'level', 'year', 'classe', 'niveau', 'darasa', 'kidato'),
  ...titlesOf('stream', 'section', 'house', 'filiere', 'mkondo'),
  ...titlesOf('group', 'groups', 'category', 'groupe', 'categorie', 'kikundi', 'kundi'),
  ...titlesOf('branch', 'campus', 'site', 'agence', 'succursale', 'antenne', 'tawi'),
  ...titlesOf('route', 'busroute', 'zone', 'ligne', 'circuit', 'itineraire', 'njia'),
}

type Payer = 'mother' | 'father' | 'guardian' | 'sponsor'

/** The words for who pays, in English, in French with `of`, and in Swahili. */
const PAYERS: Readonly<Record<Payer, { english: string[]; french: string[]; swahili: string[] }>> = {
  mother: { english: ['mother', 'mum', 'mom'], french: ['mere', 'delamere'], swahili: ['mama'] },
  father: { english: ['father', 'dad'], french: ['pere', 'dupere'], swahili: ['baba'] },
  guardian: {
    english: ['guardian', 'parent', 'parentguardian', 'guardianparent', 'parentorguardian', 'payer', 'nextofkin'],
    french: ['parent', 'duparent', 'tuteur', 'dututeur', 'payeur', 'dupayeur'],
    swahili: ['mzazi', 'mlezi', 'mlipaji'],
  },
  sponsor: { english: ['sponsor', 'donor'], french: ['parrain', 'duparrain', 'donateur'], swahili: ['mfadhili'] },
}

const PHONE_ENDINGS = [
  'phone',
  'phonenumber',
  'phoneno',
  'phonecontact',
  'mobile',
  'mobileno',
  'mobilenumber',
  'cell',
  'msisdn',
  'tel',
  'telno',
  'telephone',
  'telephonenumber',
  'telephoneno',
  'contact',
  'contacts',
  'number',
  'no',
  'whatsapp',
]

export const PAYER_TITLES: Titles = Object.fromEntries(
  (Object.keys(PAYERS) as Payer[]).flatMap((payer) => {
    const { english, french, swahili } = PAYERS[payer]
    const owners = english.flatMap((word) => [word, `${word}s`])
    const phones = [
      ...owners.flatMap((owner) => PHONE_ENDINGS.map((ending) => owner + ending)),
      ...english.flatMap((word) => PHONE_ENDINGS.map((begin) => `${begin}of${word}`)),
      ...french.flatMap((word) => ['telephone', 'tel', 'numero', 'portable', 'contact'].map((begin) => begin + word)),
      ...swahili.flatMap((word) =>
        ['simuya', 'nambayasimuya', 'nambariyasimuya', 'nambaya'].map((begin) => begin + word),
      ),
    ]
    const names = [
      ...owners,
      ...french,
      ...swahili,
      ...owners.flatMap((owner) => [`${owner}name`, `${owner}names`, `${owner}fullname`]),
      ...english.map((word) => `nameof${word}`),
      ...french.map((word) => `nom${word}`),
      ...swahili.map((word) => `jinala${word}`),
    ]
    return [
      ...phones.map((title) => [title, `${payer}_phone`] as const),
      ...names.map((title) => [title, `${payer}_name`] as const),
    ]
  }),
)
