import type { z } from 'zod'
import type * as billLists from '../src/actions/lists/bills.ts'
import type * as ledgerLists from '../src/actions/lists/ledger.ts'
import type * as smsLists from '../src/actions/lists/sms.ts'
import type * as webhookViews from '../src/actions/test-result.ts'
import type * as phones from '../src/api/simulator/phone-view.ts'
import type * as billViews from '../src/console/bills/views.ts'
import type * as clocks from '../src/console/clock-view.ts'
import type * as connections from '../src/console/connections/views.ts'
import type * as contactViews from '../src/console/contacts/views.ts'
import type * as home from '../src/console/home/views.ts'
import type * as linkViews from '../src/console/payment-links/view.ts'
import type * as approvals from '../src/console/payments/view.ts'
import type * as reportViews from '../src/console/reports/views.ts'
import type * as sending from '../src/console/service/sending-view.ts'
import type * as settings from '../src/console/settings-view.ts'
import type * as smsSettings from '../src/console/sms/view.ts'
import type * as credentials from '../src/core/access/api-keys.ts'
import type * as audit from '../src/core/access/audit.ts'
import type * as invitations from '../src/core/access/invitations.ts'
import type * as browsers from '../src/core/access/known-browsers.ts'
import type * as passkeys from '../src/core/access/passkeys.ts'
import type * as roles from '../src/core/access/roles.ts'
import type * as views from '../src/core/access/saved-views.ts'
import type * as factors from '../src/core/access/second-factors.ts'
import type * as sessions from '../src/core/access/sessions.ts'
import type * as allocations from '../src/core/allocations/allocations.ts'
import type * as changes from '../src/core/approvals/changes/control-change.ts'
import type * as allBatches from '../src/core/batches/batch.ts'
import type * as catalogue from '../src/core/bills/catalogue.ts'
import type * as offers from '../src/core/bills/offers.ts'
import type * as bills from '../src/core/bills/purchase-view.ts'
import type * as findings from '../src/core/books/findings.ts'
import type * as ageing from '../src/core/books/receivables/ageing.ts'
import type * as statements from '../src/core/books/receivables/customer-statement.ts'
import type * as unmatched from '../src/core/books/receivables/unmatched.ts'
import type * as reports from '../src/core/books/reports.ts'
import type * as runs from '../src/core/books/runs.ts'
import type * as links from '../src/core/checkout/payment-link.ts'
import type * as linkPages from '../src/core/checkout/payment-pages.ts'
import type * as requests from '../src/core/collections/collection-request.ts'
import type * as collections from '../src/core/collections/collections.ts'
import type * as plans from '../src/core/collections/recurring/plan-view.ts'
import type * as timelines from '../src/core/collections/timelines.ts'
import type * as unassigned from '../src/core/connections/unassigned-payments.ts'
import type * as customers from '../src/core/contacts/customers.ts'
import type * as contacts from '../src/core/contacts/details.ts'
import type * as histories from '../src/core/contacts/history.ts'
import type * as contactImports from '../src/core/contacts/import/row.ts'
import type * as deliveries from '../src/core/events/deliveries.ts'
import type * as endpoints from '../src/core/events/endpoints.ts'
import type * as events from '../src/core/events/events.ts'
import type * as firstSteps from '../src/core/figures/first-steps.ts'
import type * as refusedRows from '../src/core/files/refused-rows.ts'
import type * as outcomes from '../src/core/follow-ups/outcomes.ts'
import type * as invoiceBatches from '../src/core/invoices/batches/batch.ts'
import type * as taggedInvoices from '../src/core/invoices/batches/tagged.ts'
import type * as invoiceSums from '../src/core/invoices/customer-sums.ts'
import type * as invoices from '../src/core/invoices/invoice.ts'
import type * as manyInvoices from '../src/core/invoices/many.ts'
import type * as accounts from '../src/core/ledger/accounts.ts'
import type * as currencies from '../src/core/ledger/currencies.ts'
import type * as fees from '../src/core/ledger/fees.ts'
import type * as transactions from '../src/core/ledger/transactions.ts'
import type * as attestations from '../src/core/manual-settlements/attestation.ts'
import type * as orders from '../src/core/manual-settlements/targets.ts'
import type * as nearMoney from '../src/core/matching/near-money.ts'
import type * as matchingSettings from '../src/core/matching/settings.ts'
import type * as suggestions from '../src/core/matching/suggestions.ts'
import type * as bulk from '../src/core/payments/bulk/row.ts'
import type * as waitingFiles from '../src/core/payments/bulk/waiting-files.ts'
import type * as latePayouts from '../src/core/payments/late-payouts.ts'
import type * as paymentDetails from '../src/core/payments/payment-details.ts'
import type * as paymentTimelines from '../src/core/payments/payment-timeline.ts'
import type * as payments from '../src/core/payments/payments.ts'
import type * as paymentRecipients from '../src/core/payments/recipients.ts'
import type * as paymentReviews from '../src/core/payments/review/payment-review.ts'
import type * as paymentSummaries from '../src/core/payments/summaries.ts'
import type * as receipts from '../src/core/receipts/receipt.ts'
import type * as receiptSettings from '../src/core/receipts/settings.ts'
import type * as requestActions from '../src/core/request-actions.ts'
import type * as requestBatches from '../src/core/request-batches/batch.ts'
import type * as search from '../src/core/search/search-results.ts'
import type * as sms from '../src/core/sms/message.ts'

/*
 * The wire types of the service's schemas. Add a line for each noun. Only types are imported, so the pages contain no
 * code of the service.
 */

export type CollectionRequest = z.input<typeof requests.CollectionRequest>
export type RequestAction = z.input<typeof requestActions.RequestAction>
export type TimelineEntry = z.input<typeof timelines.TimelineEntry>
export type RequestOutcome = z.input<typeof outcomes.RequestOutcome>
export type PaymentLink = z.input<typeof links.PaymentLink>
export type PageLook = z.input<typeof linkPages.PageDesign>
export type Receipt = z.input<typeof receipts.Receipt>
export type Invoice = z.input<typeof invoices.Invoice>
export type InvoiceTotals = z.input<typeof invoices.InvoiceTotals>
export type InvoiceBatch = z.input<typeof allBatches.InvoiceBatch>
export type RequestBatch = z.input<typeof allBatches.RequestBatch>
export type CheckedRequests = z.input<typeof requestBatches.CheckedRequests>
export type RequestBatchPreview = z.input<typeof requestBatches.RequestBatchPreview>
export type RequestRow = z.input<typeof requestBatches.RequestRow>
export type RequestSum = z.input<typeof requestBatches.RequestSum>
export type BatchRow = z.input<typeof invoiceBatches.BatchRow>
export type BatchSum = z.input<typeof invoiceBatches.BatchSum>
export type CheckedInvoices = z.input<typeof invoiceBatches.CheckedFile>
export type TaggedPreview = z.input<typeof taggedInvoices.TaggedPreview>
export type TagSum = z.input<typeof invoiceSums.TagSum>
export type CustomerSum = z.input<typeof invoiceSums.CustomerSum>
export type InvoicesDone = z.input<typeof manyInvoices.ManyResult>
export type ReceiptSettings = z.input<typeof receiptSettings.ReceiptSettings>
export type LinkTotals = z.input<typeof linkViews.LinkTotalsView>
export type Plan = z.input<typeof plans.PlanView>
export type Clock = z.input<typeof clocks.ClockView>
export type ClockAdvance = z.input<typeof clocks.ClockAdvanceView>
export type FirstSteps = z.input<typeof firstSteps.FirstSteps>
export type NetworksState = z.input<typeof home.NetworksState>['state']
export type Overview = z.input<typeof home.Home>
export type Figures = z.input<typeof home.Figures>
export type SearchHit = z.input<typeof search.SearchResult>
export type SearchGroup = z.input<typeof search.SearchResultGroup>
export type Phone = z.input<typeof phones.PhoneView>
export type AuditEntry = z.input<typeof audit.AuditEntry>
export type AuditChoices = audit.AuditChoices
export type AuditedObject = audit.AuditedObject
export type ControlChange = z.input<typeof changes.ControlChange>
export type Invitation = z.input<typeof invitations.Invitation> & { role: string | null }
export type Role = z.input<typeof roles.Role>

export type Sending = z.input<typeof sending.SendingView>
export type Session = z.input<typeof sessions.SessionView>
export type SavedView = z.input<typeof views.SavedView>
export type KnownBrowser = z.input<typeof browsers.KnownBrowserView>
export type SecondFactors = z.input<typeof factors.SecondFactors>
export type Passkey = z.input<typeof passkeys.PasskeyView>
export type PasskeyList = z.input<typeof passkeys.PasskeyList>
export type AddedPasskey = z.input<typeof passkeys.AddedPasskey>

export type ConsoleConnection = z.input<typeof connections.ConsoleConnection>
export type ConsoleConnectionDetail = z.input<typeof connections.ConsoleConnectionDetail>
export type NetworkDriver = z.input<typeof connections.NetworkDriverView>
export type SettingField = NetworkDriver['fields'][number]
export type TestResult = z.input<typeof connections.TestResultView>
export type Checklist = z.input<typeof connections.ChecklistView>

export type CustomerStatement = z.input<typeof statements.CustomerStatement>
export type Ageing = z.input<typeof ageing.Ageing>
export type UnmatchedMoney = z.input<typeof unmatched.UnmatchedMoney>
export type Report = z.input<typeof reportViews.Report>
export type ReportRow = z.input<typeof reports.ReportRow>
export type WalletTransaction = z.input<typeof ledgerLists.WalletTransaction>
export type ReconciliationRun = z.input<typeof runs.ReconciliationRun>
export type KeptFinding = z.input<typeof findings.KeptFinding>

export type Incoming = z.input<typeof collections.Collection> & {
  standing: z.input<typeof collections.Disposition> & { network_name: string }
}
export type IncomingDetails = Incoming & { pays_for: z.input<typeof customers.PaidCustomer>[] }
export type Allocation = z.input<typeof allocations.Allocation>
export type CollectionAllocations = z.input<typeof allocations.CollectionAllocations>
export type MatchSuggestion = z.input<typeof suggestions.Suggestion>
export type MatchingSettings = z.input<typeof matchingSettings.MatchingSettings>
export type ContactMoney = z.input<typeof nearMoney.ContactMoney>
export type NearMoney = z.input<typeof nearMoney.NearMoney>
export type UnassignedPayment = z.input<typeof unassigned.UnassignedPayment>
export type Payment = z.input<typeof payments.Payment>
export type PaymentSummary = z.input<typeof paymentSummaries.PaymentSummary>
export type PaymentDetails = z.input<typeof paymentDetails.PaymentDetails>
export type PaymentReview = z.input<typeof paymentReviews.PaymentReview>
export type SignedReview = PaymentReview & { token: string }
export type PaymentRecipient = z.input<typeof paymentRecipients.PaymentRecipient>
export type PaymentTimelineEntry = z.input<typeof paymentTimelines.PaymentTimelineEntry>
export type ApprovalQueue = z.input<typeof approvals.ApprovalQueue>
export type ApprovalCounts = z.input<typeof approvals.ApprovalCounts>
export type WaitingPayment = ApprovalQueue['payments'][number]
export type WaitingFile = z.input<typeof waitingFiles.WaitingFile>
export type WaitingPurchase = ApprovalQueue['purchases'][number]
export type Attestation = z.input<typeof attestations.Attestation>
export type ListedOrder = z.input<typeof orders.ListedOrder>
export type BulkPayment = z.input<typeof bulk.BulkPayment>
export type BulkPaymentDetail = z.input<typeof bulk.BulkPaymentDetail>
export type BulkRow = z.input<typeof bulk.BulkRow>
export type LatePayout = z.input<typeof latePayouts.LatePayout>
export type ContactDetails = z.input<typeof contacts.ContactDetails>
export type ContactOverview = z.input<typeof contactViews.ContactOverview>
export type ContactHistory = z.input<typeof histories.HistoryPage>
export type HistoryEntry = z.input<typeof histories.HistoryEntry>
export type ContactImport = z.input<typeof contactImports.ContactImport>
export type RefusedRows = z.input<typeof refusedRows.RefusedRows>
export type CheckedContacts = z.input<typeof contactImports.CheckedFile>
export type ImportRow = z.input<typeof contactImports.ImportRow>
export type RefusedRow = z.input<typeof contactImports.RefusedRow>
export type Currency = z.input<typeof currencies.Currency>
export type Wallet = z.input<typeof accounts.Wallet>
export type Transaction = z.input<typeof transactions.Transaction>
export type Purchase = z.input<typeof bills.PurchaseView>
export type PurchaseQuote = z.input<typeof bills.PurchaseQuote>
export type PurchaseDetail = z.input<typeof billViews.PurchaseDetail>
export type BillDifference = z.input<typeof billLists.ListedDifference>
export type BillOffer = z.input<typeof offers.OfferView>
export type ProviderFloat = z.input<typeof billViews.ProviderFloatView>
export type Service = z.input<typeof catalogue.ServiceView>
export type PriceList = z.input<typeof catalogue.PriceList>
export type Fee = z.input<typeof fees.FeeView>
export type Sms = z.input<typeof sms.SmsView>
export type SmsConsent = z.input<typeof smsLists.ConsentView>
export type SmsSettings = z.input<typeof smsSettings.SmsSettingsView>
export type Settings = z.input<typeof settings.Settings>
export type PlaceChoices = z.input<typeof settings.PlaceChoices>
export type ApiKey = z.input<typeof credentials.ApiKeyView>
export type Event = z.input<typeof events.Event>
export type Endpoint = z.input<typeof endpoints.Endpoint>
export type WebhookTestResult = z.input<typeof webhookViews.TestResult>
export type Delivery = z.input<typeof deliveries.Delivery> & { id: string }
export type Attempt = z.input<typeof deliveries.Attempt>

export type { Permission } from '../src/core/access/api-keys.ts'
export type { EventType } from '../src/core/events/events.ts'
