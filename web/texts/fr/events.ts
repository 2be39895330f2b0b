import type { Catalogue } from '../catalogue.ts'

export const events: Catalogue['events'] = {
  about:
    'Événements de votre organisation, comme les webhooks les reçoivent. Les nouveaux s’affichent automatiquement.',
  none: 'Aucun événement pour l’instant.',
  live: 'En direct',
  event: 'Événement',
  object: 'Objet',
  object_about: 'État de l’objet au moment de l’événement.',
  json: 'Objet en JSON',
  deliveries: 'Webhooks qui reçoivent cet événement',
  no_deliveries: 'Aucun webhook ne reçoit cet événement.',
  open: {
    collectionrequest: 'Ouvrir la demande {{id}}',
    collection: 'Ouvrir l’encaissement {{id}}',
    payment: 'Ouvrir le paiement {{id}}',
    contact: 'Ouvrir le contact {{id}}',
    billpayment: 'Ouvrir l’achat {{id}}',
    invoice: 'Ouvrir la facture {{id}}',
  },
  time: 'Date',
  types: {
    collectionrequest_status_changed: 'Statut d’une demande modifié',
    collection_received: 'Encaissement reçu',
    collection_reversed: 'Encaissement annulé par le réseau',
    payment_status_changed: 'Statut d’un paiement modifié',
    contact_created: 'Contact créé',
    contact_credit_changed: 'Avoir d’un client modifié',
    billpayment_status_changed: 'Statut d’un achat modifié',
    invoice_issued: 'Facture émise',
    invoice_paid: 'Facture payée',
    invoice_partly_paid: 'Facture payée en partie',
    invoice_reopened: 'Facture rouverte',
    invoice_voided: 'Facture annulée',
  },
}
