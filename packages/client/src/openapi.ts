/* The types of openapi.json. Made by `npm run generate -w packages/client`; do not edit. */
export interface paths {
    "/api/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List wallets */
        get: operations["listAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one wallet */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collectionrequests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List collection requests, or export all of them as CSV */
        get: operations["listCollectionRequests"];
        put?: never;
        /** Request money from a customer */
        post: operations["createCollectionRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collectionrequests/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the batches of requests that were made from files and for tags */
        get: operations["listRequestBatches"];
        put?: never;
        /** Request the same amount from each customer with a tag */
        post: operations["createRequestBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collectionrequests/batches/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview the requests of a batch; nothing is stored */
        post: operations["previewRequestBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collectionrequests/batches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one batch of requests */
        get: operations["getRequestBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collectionrequests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one collection request */
        get: operations["getCollectionRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collectionrequests/{id}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what people did about a request */
        get: operations["listRequestActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collectionrequests/{id}/paymentlink": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a payment link for the money of a failed or expired request */
        post: operations["sendPaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collectionrequests/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send the money of a successful request back, all of it or a part */
        post: operations["refundCollectionRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collectionrequests/{id}/remind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send the instructions of an open request again */
        post: operations["remindCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collectionrequests/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Request the money of a failed or expired request again */
        post: operations["retryCollectionRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collectionrequests/{id}/unmatched-money": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List unmatched money of the phone of a collection request */
        get: operations["listUnmatchedMoney"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List collections, or claim one */
        get: operations["listCollections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one collection */
        get: operations["getCollection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collections/{id}/allocations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what a collection is for */
        get: operations["listAllocations"];
        put?: never;
        /** Match unmatched money with invoices, customers or payment links */
        post: operations["allocateCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collections/{id}/allocations/{allocation}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take an allocation back: the money is unmatched again */
        delete: operations["endAllocation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collections/{id}/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Suggest what unmatched money may be for */
        get: operations["suggestMatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List contacts */
        get: operations["listContacts"];
        put?: never;
        /** Create a contact */
        post: operations["createContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/contacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one contact */
        get: operations["getContact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change a contact */
        patch: operations["changeContact"];
        trace?: never;
    };
    "/api/contacts/{id}/money": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the credit and the unmatched money of a customer */
        get: operations["getContactMoney"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/contacts/{id}/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the statement of a customer: what was invoiced and paid, and what is owed */
        get: operations["getContactStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/currencies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the currencies of local wallets */
        get: operations["listCurrencies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/currencies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one currency */
        get: operations["getCurrency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List events */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow events as they happen
         * @description Each event has the body of a webhook notification, with its type and its id:
         *
         *         id: 4711
         *         event: collection.received
         *         data: {"hook":{…},"data":{…}}
         *
         *     `hook` has the id 0, because no webhook exists for it. Without `since` and `Last-Event-ID` the stream begins with the
         *     next event. The stream stays open until the reader disconnects, the key is revoked or the service stops. `EventSource` and
         *     similar clients reconnect by themselves with `Last-Event-ID` and miss no event that is still kept. One key may have
         *     10 streams open.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one event */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/billers/category/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the categories of bill services */
        get: operations["listBillCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/billers/provider/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the providers of all categories */
        get: operations["listBillProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/billers/services/category": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the bill services of one category, by GET */
        get: operations["listBillServicesOfCategoryByGet"];
        put?: never;
        /** List the bill services of one category */
        post: operations["listBillServicesOfCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/billers/services/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all bill services */
        get: operations["listBillServices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/services/airtime/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the providers of airtime */
        get: operations["listAirtimeProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/services/airtime/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buy airtime
         * @description The response comes when the biller has settled the purchase. `status` is `pending` when the biller has accepted it and not finished it, and while it waits for an approval. 503 with `BX0021` means that the outcome is not known yet. In both cases the money stays on hold. Use a requery to read the final result.
         */
        post: operations["buyAirtime"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/services/cabletv/addons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List the add-ons of a bouquet */
        post: operations["listAddons"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/services/cabletv/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List the bouquets of a TV service, for a change of plan */
        post: operations["listBouquets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/services/cabletv/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the providers of the category cabletv */
        get: operations["listCabletvProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/services/cabletv/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew a TV subscription, or change its plan
         * @description The response comes when the biller has settled the purchase. `status` is `pending` when the biller has accepted it and not finished it, and while it waits for an approval. 503 with `BX0021` means that the outcome is not known yet. In both cases the money stays on hold. Use a requery to read the final result.
         */
        post: operations["buyCableTv"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/services/databundle/bundles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List the data bundles of a provider */
        post: operations["listDataBundles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/services/databundle/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the providers of the category databundle */
        get: operations["listDatabundleProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/services/databundle/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buy a data bundle
         * @description The response comes when the biller has settled the purchase. `status` is `pending` when the biller has accepted it and not finished it, and while it waits for an approval. 503 with `BX0021` means that the outcome is not known yet. In both cases the money stays on hold. Use a requery to read the final result.
         */
        post: operations["buyDataBundle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/services/electricity/billers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the electricity companies */
        get: operations["listElectricityBillers"];
        put?: never;
        /** List the electricity companies, by POST */
        post: operations["listElectricityBillersByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/services/electricity/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buy electricity
         * @description The response comes when the biller has settled the purchase. `status` is `pending` when the biller has accepted it and not finished it, and while it waits for an approval. 503 with `BX0021` means that the outcome is not known yet. In both cases the money stays on hold. Use a requery to read the final result.
         */
        post: operations["buyElectricity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/services/electricity/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Find the holder of a meter or an electricity account */
        post: operations["verifyMeter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/services/epin/bundles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List the pins of a provider and how many are available */
        post: operations["listPinBundles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/services/epin/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the providers of the category epin */
        get: operations["listEpinProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/services/epin/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buy pins
         * @description The response comes when the biller has settled the purchase. `status` is `pending` when the biller has accepted it and not finished it, and while it waits for an approval. 503 with `BX0021` means that the outcome is not known yet. In both cases the money stays on hold. Use a requery to read the final result.
         */
        post: operations["buyPins"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/services/exampin/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the exam pins of a provider */
        get: operations["listExamProducts"];
        put?: never;
        /** List the exam pins of a provider, by POST */
        post: operations["listExamProductsByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/services/exampin/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buy an exam pin for a candidate after the name look-up
         * @description The response comes when the biller has settled the purchase. `status` is `pending` when the biller has accepted it and not finished it, and while it waits for an approval. 503 with `BX0021` means that the outcome is not known yet. In both cases the money stays on hold. Use a requery to read the final result.
         */
        post: operations["buyExamPin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/services/namefinder/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Find the holder of an account, by GET */
        get: operations["findNameByGet"];
        put?: never;
        /** Find the holder of an account */
        post: operations["findName"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/superagent/account/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the balance of the wallet that pays for bills */
        get: operations["getBillBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gateway/superagent/transaction/requery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the result of a purchase */
        get: operations["requeryPurchase"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List invoices */
        get: operations["listInvoices"];
        put?: never;
        /** Make a draft of an invoice */
        post: operations["createInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the batches of invoices that were made from files and for tags */
        get: operations["listInvoiceBatches"];
        put?: never;
        /** Make an invoice for each customer with a tag */
        post: operations["createInvoiceBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/batches/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a batch would make; nothing is stored */
        post: operations["previewInvoiceBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/batches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one batch of invoices */
        get: operations["getInvoiceBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The customers with a tag by name, with what they owe and have paid */
        get: operations["listInvoiceCustomers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/issue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Issue many drafts, in the order of their ids */
        post: operations["issueInvoices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/remind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remind the customers of many issued invoices now, each at most once a day */
        post: operations["remindOfInvoices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was invoiced, paid and is open, by the tags of customers */
        get: operations["sumInvoicesByTag"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Void many issued invoices; they keep their numbers */
        post: operations["voidInvoices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one invoice */
        get: operations["getInvoice"];
        put?: never;
        post?: never;
        /** Delete a draft; the answer is the draft as it was */
        delete: operations["deleteInvoice"];
        options?: never;
        head?: never;
        /** Change a draft */
        patch: operations["changeInvoice"];
        trace?: never;
    };
    "/api/invoices/{id}/collect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Request the open amount, or a part of it, from the customer now */
        post: operations["collectInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/issue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Issue a draft: it gets its number and cannot be changed any more */
        post: operations["issueInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send an issued invoice by SMS or e-mail */
        post: operations["sendInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Void an issued invoice; it keeps its number */
        post: operations["voidInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/matching-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get what is done with money that nobody asked for */
        get: operations["getMatchingSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change what is done with money that nobody asked for */
        patch: operations["changeMatchingSettings"];
        trace?: never;
    };
    "/api/networks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List mobile-money networks */
        get: operations["listNetworks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/networks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one mobile-money network */
        get: operations["getNetwork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/paymentlinks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List payment links */
        get: operations["listPaymentLinks"];
        put?: never;
        /** Create a page on which customers pay */
        post: operations["createPaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/paymentlinks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one payment link */
        get: operations["getPaymentLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change, close or open a payment link */
        patch: operations["changePaymentLink"];
        trace?: never;
    };
    "/api/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List payments */
        get: operations["listPayments"];
        put?: never;
        /** Send money or airtime to one phone or many */
        post: operations["createPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one payment */
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List plans */
        get: operations["listPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one plan */
        get: operations["getPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plans/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause a plan */
        post: operations["pausePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plans/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a plan at its next date */
        post: operations["resumePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plans/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a plan permanently */
        post: operations["stopPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List receipts */
        get: operations["listReceipts"];
        put?: never;
        /** Make the receipt of a payment, or get the one that it has */
        post: operations["issueReceipt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/receipts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one receipt */
        get: operations["getReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/receipts/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a receipt by SMS or e-mail */
        post: operations["sendReceipt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/ageing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the open amounts of customers by how long they are overdue */
        get: operations["getAgeing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/unmatched": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the money that came in and is for nothing yet, by age */
        get: operations["getUnmatched"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List SMS to customers */
        get: operations["listSms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sms/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one SMS */
        get: operations["getSms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List transactions, or export all of them as CSV */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/transactions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one transaction */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhooks */
        get: operations["listWebhooks"];
        put?: never;
        /** Create a webhook */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one webhook */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "collectionrequest.status.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The status of a collection request changed
         * @description Respond with 200 within 5 seconds. The service repeats all other deliveries, up to 10 attempts in total. A response of 410 deletes the webhook.
         */
        post: operations["notifyOfCollectionRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "collection.received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Money was received from a customer
         * @description Respond with 200 within 5 seconds. The service repeats all other deliveries, up to 10 attempts in total. A response of 410 deletes the webhook.
         */
        post: operations["notifyOfCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A contact was created
         * @description Respond with 200 within 5 seconds. The service repeats all other deliveries, up to 10 attempts in total. A response of 410 deletes the webhook.
         */
        post: operations["notifyOfContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Account: {
            /** @example 1 */
            id: number;
            /**
             * @description Your organization.
             * @example 1
             */
            organization: number;
            /**
             * @description What you call it.
             * @example BXC wallet
             */
            name: string;
            /**
             * @description Whether it collects from other countries.
             * @example local
             * @enum {string}
             */
            kind: "local" | "cross_border";
            /**
             * @description Its balance.
             * @example 1500.5
             */
            balance: string;
            /**
             * @description Three-letter code.
             * @example BXC
             */
            currency: string;
            /**
             * @description Whether it is in use.
             * @example active
             * @enum {string}
             */
            status: "active" | "inactive";
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            /**
             * @description The user who opened it.
             * @example 1
             */
            author: number;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            modified: string;
            /**
             * @description The user who changed it last.
             * @example null
             * @example 7
             */
            updated_by: string | null;
        };
        Ageing: {
            /**
             * @description The day of the report, in the time zone of the organization.
             * @example 2030-03-05
             */
            day: string;
            /**
             * @description The time zone of the organization.
             * @example Africa/Kampala
             */
            zone: string;
            /**
             * @description The number of rows on all pages together.
             * @example 40
             */
            count: number;
            /**
             * @description A row for each customer and currency, what is overdue most first.
             * @example []
             */
            rows: components["schemas"]["AgeingRow"][];
            /**
             * @description The sums of all rows, one for each currency.
             * @example []
             */
            totals: components["schemas"]["AgeingTotal"][];
        };
        AgeingRow: {
            /**
             * @description The customer.
             * @example 3
             */
            contact: number;
            /**
             * @description The customer number.
             * @example P5-0012
             */
            customer_number: string | null;
            /**
             * @description The name of the customer; empty if it is not known.
             * @example Jane Doe
             */
            customer_name: string;
            /**
             * @description The phone number of the customer; empty without one.
             * @example +80000000000
             */
            phonenumber: string;
            /**
             * @description The tags of the customer.
             * @example [
             *       "P5"
             *     ]
             */
            tags: string[];
            /**
             * @description Three-letter code.
             * @example UGX
             */
            currency: string;
            /**
             * @description How many invoices are open.
             * @example 1
             */
            invoices: number;
            /**
             * @description The due date of the oldest of them.
             * @example 2030-02-28
             */
            oldest_due_date: string;
            /**
             * @description Of invoices whose due date is not over.
             * @example 850000.0000
             */
            not_due_amount: string;
            /**
             * @description Of invoices that are 1 to 30 days overdue.
             * @example 0.0000
             */
            days_1_30_amount: string;
            /**
             * @description Of invoices that are 31 to 60 days overdue.
             * @example 0.0000
             */
            days_31_60_amount: string;
            /**
             * @description Of invoices that are 61 to 90 days overdue.
             * @example 0.0000
             */
            days_61_90_amount: string;
            /**
             * @description Of invoices that are more than 90 days overdue.
             * @example 0.0000
             */
            days_over_90_amount: string;
            /**
             * @description All that is overdue.
             * @example 0.0000
             */
            overdue_amount: string;
            /**
             * @description All that is open.
             * @example 850000.0000
             */
            open_amount: string;
        };
        AgeingTotal: {
            /**
             * @description Three-letter code.
             * @example UGX
             */
            currency: string;
            /**
             * @description How many customers have open invoices.
             * @example 40
             */
            customers: number;
            /**
             * @description How many invoices are open.
             * @example 43
             */
            invoices: number;
            /**
             * @description Of invoices whose due date is not over.
             * @example 850000.0000
             */
            not_due_amount: string;
            /**
             * @description Of invoices that are 1 to 30 days overdue.
             * @example 0.0000
             */
            days_1_30_amount: string;
            /**
             * @description Of invoices that are 31 to 60 days overdue.
             * @example 0.0000
             */
            days_31_60_amount: string;
            /**
             * @description Of invoices that are 61 to 90 days overdue.
             * @example 0.0000
             */
            days_61_90_amount: string;
            /**
             * @description Of invoices that are more than 90 days overdue.
             * @example 0.0000
             */
            days_over_90_amount: string;
            /**
             * @description All that is overdue.
             * @example 0.0000
             */
            overdue_amount: string;
            /**
             * @description All that is open.
             * @example 850000.0000
             */
            open_amount: string;
        };
        AirtimeProvider: {
            /**
             * @description Code that identifies the service.
             * @example mtn
             */
            service_type: string;
            /**
             * @description Abbreviation.
             * @example mtn
             */
            shortname: string;
            /**
             * @description Full name.
             * @example Mtn Nigeria
             */
            name: string;
            /**
             * @description Plans that can be bought.
             * @example [
             *       "prepaid"
             *     ]
             */
            plans: ("prepaid" | "postpaid")[];
        };
        Allocation: {
            /** @example 1 */
            id: number;
            /**
             * @description The money.
             * @example 1
             */
            collection: number;
            /**
             * @description The invoice that it pays.
             * @example 12
             */
            invoice: number | null;
            /**
             * @description The payment link that it pays.
             * @example null
             */
            payment_link: number | null;
            /**
             * @description The customer whose credit it is.
             * @example null
             */
            contact: number | null;
            /**
             * @description How much of the money.
             * @example 85000.0000
             */
            amount: string;
            /**
             * @description Why: `invoice_number`, `link_number`, `customer_number`: the payer typed it. `same_amount`: the only open invoice of the customer with this amount. `only_customer`: the phone pays for this customer only. `surplus`: more than was open. `credit`: credit of the customer. `person`: a person chose it.
             * @example invoice_number
             * @enum {string}
             */
            reason: "invoice_number" | "link_number" | "customer_number" | "same_amount" | "only_customer" | "surplus" | "credit" | "person";
            /**
             * @description What the person wrote.
             * @example
             */
            note: string;
            /**
             * @description The person; null for the service.
             * @example null
             */
            author: number | null;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
        };
        BillAccountHolder: {
            /**
             * @description Name of the holder.
             * @example ADA SANDBOX OKAFOR
             */
            name: string;
            /**
             * @description Address of the meter.
             * @example 12 SANDBOX STREET
             */
            address: string | null;
            outstandingBalance: string | null;
            /**
             * @description End of the subscription.
             * @example 2030-01-31T00:00:00+01:00
             */
            dueDate: string | null;
            /**
             * @description District of the electricity company.
             * @example IKEJA
             */
            district: string | null;
            /**
             * @description Account number in the form that the biller uses.
             * @example 04042404048
             */
            accountNumber: string | null;
            minimumAmount: string | null;
            /**
             * @description Data of the biller, unchanged.
             * @example {
             *       "firstName": "ADA",
             *       "lastName": "OKAFOR",
             *       "middleName": "SANDBOX",
             *       "gsmNo": "08000000000",
             *       "error": null
             *     }
             */
            rawOutput: {
                [key: string]: unknown;
            };
            /**
             * @description Null when a holder was found.
             * @example null
             */
            errorMessage: string | null;
        } & {
            [key: string]: unknown;
        };
        BillError: {
            /**
             * @example error
             * @constant
             */
            status: "error";
            /** @example Invalid request parameters. */
            message: string;
            /**
             * @description Error code for programs.
             * @example BX0003
             */
            code: string;
            /**
             * @description With 409: type of the object that the first request created.
             * @example billpayment
             */
            type?: string;
            /**
             * @description With 409: its id, the `transactionReference`.
             * @example 10700149
             */
            id?: number;
            /**
             * @description The invalid fields, each with a message; an empty list when no field is invalid.
             * @example {
             *       "service_type": {
             *         "message": "This field is required."
             *       }
             *     }
             * @example []
             */
            errors: unknown[] | {
                [key: string]: {
                    message: string;
                };
            };
        };
        BillProvider: {
            /**
             * @description Code that identifies the service.
             * @example mtn
             */
            service_type: string;
            /**
             * @description Abbreviation.
             * @example mtn
             */
            shortname: string;
            /**
             * @description Id of the biller.
             * @example 11
             */
            biller_id: number;
            /**
             * @description Id of the product.
             * @example 28
             */
            product_id: number;
            /**
             * @description Full name.
             * @example Mtn Nigeria
             */
            name: string;
        };
        BillPurchaseResult: {
            /**
             * @description `0` on success.
             * @example 0
             */
            statusCode?: string;
            /**
             * @description `success`, `pending` or `failed`.
             * @example success
             */
            transactionStatus: string;
            /**
             * @description Id of the purchase.
             * @example 10700149
             */
            transactionReference: number;
            /**
             * @description Result as a text for people.
             * @example Payment Successful
             */
            transactionMessage: string | null;
            /**
             * @description Prepaid electricity: the token, 20 digits.
             * @example 12345678901234567890
             */
            tokenCode?: string;
            /**
             * @description Prepaid electricity: the quantity in kWh.
             * @example 16.4KWH
             */
            amountOfPower?: string;
            /**
             * @description Prepaid electricity: the amount paid.
             * @example 1000
             */
            tokenAmount?: string;
        } & {
            [key: string]: unknown;
        };
        BillService: {
            /**
             * @description Id of the service.
             * @example 34
             */
            id: number;
            /**
             * @description Id of the product.
             * @example 42
             */
            serviceId: number;
            /**
             * @description The service type in capitals.
             * @example GLO
             */
            serviceCode: string;
            /**
             * @description Code of the category.
             * @example epin
             */
            serviceCategory: string;
            /**
             * @description Id of the biller.
             * @example 11
             */
            biller_id: number;
            /**
             * @description Short name of the biller.
             * @example glo
             */
            serviceBiller: string;
            /**
             * @description The `service_type` of other calls.
             * @example glo
             */
            serviceType: string;
            /**
             * @description Full name.
             * @example Globacom Nigeria ePin
             */
            serviceName: string;
            /**
             * @description The same as the name.
             * @example Globacom Nigeria ePin
             */
            serviceDescription: string;
            /**
             * @description Code of the category.
             * @example epin
             */
            serviceHandler: string;
            /**
             * @description Short name of the provider.
             * @example glo
             */
            serviceProvider: string;
            /**
             * @description Whether it can be bought now.
             * @example true
             */
            serviceEnabled: boolean;
            /**
             * @description The same as `serviceEnabled`, as a word.
             * @example active
             * @example inactive
             */
            serviceStatus: string;
            /**
             * @description ISO 3166-1: where it is sold.
             * @example NG
             */
            serviceCountry: string;
            /**
             * @description ISO 4217: of its prices, and of the account that pays.
             * @example NGN
             */
            serviceCurrency: string;
            /**
             * @description Always null.
             * @example null
             */
            serviceLogo: string | null;
            /**
             * @description Whether it can be bought now.
             * @example true
             */
            deployed: boolean;
            /**
             * @description Whether it can be bought now.
             * @example true
             */
            b2b_deployed: boolean;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            updated_at: string;
        };
        Bouquet: {
            availablePricingOptions: {
                /**
                 * @description Number of months.
                 * @example 1
                 */
                monthsPaidFor: number;
                /**
                 * @description Price of all these months together.
                 * @example 1500
                 */
                price: string;
                invoicePeriod: number;
            }[];
            /**
             * @description Code in a purchase.
             * @example COMPE36
             */
            code: string;
            /**
             * @description Display name.
             * @example DStv Compact
             */
            name: string;
            /**
             * @description Further description, or a space.
             * @example
             */
            description: string;
        };
        Collection: {
            /** @example 1 */
            id: number;
            /**
             * @description Your organization.
             * @example 1
             */
            organization: number;
            /**
             * @description The network operator's own id of the payment. Until the network tells it, our reference of the order, or the network's id of the order.
             * @example TX1
             */
            remote_transaction_id: string;
            /**
             * @description The amount that was received.
             * @example 1500.0000
             */
            amount: string;
            /**
             * @description How much of it the network has taken back. It is all of the amount when the status is `reversed`.
             * @example 0.0000
             * @example 300.0000
             */
            reversed_amount: string;
            /**
             * @description Three-letter code.
             * @example BXC
             */
            currency: string;
            /**
             * @description The wallet that the money is for.
             * @example 1
             */
            account: number;
            /**
             * @description The phone number that paid.
             * @example +80000000000
             */
            phonenumber: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            payment_date: string;
            /**
             * @description The reference that the customer typed.
             * @example null
             * @example 123
             */
            reference: string | null;
            /**
             * @description `pending` until your acceptance URL has answered, `failed` if you rejected it, `reversed` if the network took all of the money back. New values may be added.
             * @example successful
             * @enum {string}
             */
            status: "pending" | "successful" | "failed" | "reversed";
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            /**
             * @description The user who recorded it, usually the service user.
             * @example 1
             */
            author: number;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            modified: string;
            /**
             * @description The user who changed it last.
             * @example null
             * @example 7
             */
            updated_by: string | null;
            contact: components["schemas"]["Contact"];
            /** @description The request that it fulfilled, if any. */
            collection_request: components["schemas"]["CollectionRequest"] | null;
            /** @description The transaction that credited it to the wallet; null until then. */
            transaction: {
                /** @example 1 */
                id: number;
                /**
                 * @description The amount that was credited.
                 * @example 1500.0000
                 */
                amount: string;
                /**
                 * @description The type of the transaction.
                 * @constant
                 */
                type: "mobile_collection";
                /**
                 * @description Three-letter code.
                 * @example BXC
                 */
                currency: string;
                /**
                 * Format: date-time
                 * @example 2030-01-31T12:00:00Z
                 */
                created: string;
                /**
                 * @description A description in words.
                 * @example Collection 12 from +80000000000
                 */
                description: string;
                /**
                 * @description The wallet.
                 * @example {
                 *       "id": 5,
                 *       "organization": 1,
                 *       "currency": "BXC"
                 *     }
                 */
                account: {
                    /** @example 1 */
                    id: number;
                    /** @example 1 */
                    organization: number;
                    currency: string;
                };
                /**
                 * @description The transaction that charged the fee, if there was one.
                 * @example null
                 * @example 8
                 */
                fee_transaction: number | null;
            } | null;
        };
        CollectionAllocations: {
            /**
             * @description What parts of it are for.
             * @example []
             */
            allocations: components["schemas"]["Allocation"][];
            /**
             * @description How much of it is for nothing yet.
             * @example 35000.0000
             */
            amount_unmatched: string;
            /**
             * @description What waits for a second manager, because the sum is large.
             * @example []
             */
            pending: components["schemas"]["PendingMatch"][];
        };
        CollectionRequest: {
            /** @example 1 */
            id: number;
            /**
             * @description Your organization.
             * @example 1
             */
            organization: number;
            /**
             * @description The amount that the customer is asked to pay.
             * @example 1500.0000
             */
            amount: string;
            /**
             * @description Three-letter code.
             * @example BXC
             */
            currency: string;
            /** @description The wallet that receives the money. */
            account: number | null;
            /**
             * @description The phone number of the customer, in E.164.
             * @example +80000000000
             */
            phonenumber: string;
            contact: components["schemas"]["Contact"];
            /**
             * @description The reason; empty when none was given.
             * @example Order 7
             */
            reason: string;
            /**
             * @description Your own attributes, as you gave them.
             * @example {
             *       "order": 7
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            /**
             * @description The user whose key made the request.
             * @example 1
             */
            author: number;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            modified: string;
            /**
             * @description The user who changed it last.
             * @example null
             * @example 7
             */
            updated_by: string | null;
            /**
             * @description The collection that fulfilled the request.
             * @example null
             * @example 12
             */
            collection: number | null;
            /**
             * @description Text of the SMS to the customer on success. If it is empty, the default text is sent, or nothing without `send_instructions`.
             * @example Thank you, {customer}!
             */
            success_message: string;
            /**
             * @description Whether the customer gets a prompt or instructions on how to pay.
             * @example true
             */
            send_instructions: boolean;
            /**
             * @description Text that replaces the usual instructions; `skip` for no SMS.
             * @example null
             */
            instructions: string | null;
            /**
             * @description The state of the request. New values may be added.
             * @example pending
             * @enum {string}
             */
            status: "pending" | "processing_started" | "instructions_sent" | "successful" | "failed" | "expired" | "reversed";
            /**
             * @description Why the request failed.
             * @example null
             * @example Cancelled By User
             */
            error_message: string | null;
            /**
             * @description When the request expires if it has not been paid.
             * @example 2030-01-31 12:00:00.000000+00:00
             */
            expiry_date: string | null;
            /**
             * @description When the request starts; null if it starts at once.
             * @example null
             */
            start_date: string | null;
            /**
             * @description Minutes between prompts.
             * @example null
             * @example 10
             */
            retry_interval_minutes: number | null;
            /**
             * @description The maximum number of further prompts.
             * @example 3
             */
            max_attempts: number;
            /**
             * @description The recurrence, as a JSON text of an object; null for a single request.
             * @example null
             * @example {"end_date":"31/12/2030 08:00:00","frequency":"monthly"}
             */
            subscription_settings: string | null;
        };
        CollectionSuggestions: {
            suggestions: components["schemas"]["MatchSuggestion"][];
        };
        Contact: {
            /** @example 1 */
            id: number;
            /**
             * @description Your organization.
             * @example 1
             */
            organization: number;
            /**
             * @description `Anonymous` until a name is given.
             * @example Jane
             */
            first_name: string;
            /**
             * @description `Contact` until a name is given.
             * @example Doe
             */
            last_name: string;
            /**
             * @description E-mail address.
             * @example null
             */
            email: string | null;
            /**
             * @description E.164; one contact for each number.
             * @example +80000000000
             */
            phone_number: string;
            /**
             * @description `employee`, `beneficiary`, `vendor` or `other`.
             * @example employee
             */
            type: string;
            /**
             * @description `active` or `inactive`.
             * @example active
             */
            status: string;
            /**
             * @description Your own attributes.
             * @example null
             */
            metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * @description `yes` when a network serves the number.
             * @example yes
             */
            phone_is_supported: string;
            /**
             * @description Whether the number has mobile money: `yes`, `no`, or `unknown` until the network responds.
             * @example yes
             */
            phone_is_mm_registered: string;
            /**
             * @description The name that the network knows; empty until the network responds.
             * @example Jane Doe
             */
            name_on_network: string;
            /**
             * @description `checked` after the two names were compared, else `unchecked`.
             * @example checked
             */
            name_matches_network_status: string;
            /**
             * @description How similar the two names are, 0 to 100.
             * @example 100
             */
            name_matches_network_score: number;
            /**
             * @description The network that serves the number.
             * @example Sandbox Network
             */
            network_name: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            modified: string;
            /**
             * @description The user who created the contact.
             * @example 1
             */
            author: number;
            /**
             * @description The user who changed it last.
             * @example null
             * @example 7
             */
            updated_by: number | null;
        };
        /**
         * @example {
         *       "email": "jane@example.com"
         *     }
         */
        ContactChanges: {
            /**
             * @description First name.
             * @example Jane
             */
            first_name?: string;
            /**
             * @description Last name.
             * @example Doe
             */
            last_name?: string;
            /**
             * @description E-mail address.
             * @example jane@example.com
             */
            email?: string;
            /**
             * @description Custom attributes, as an object or a JSON text of one. `the service` is also accepted as the name.
             * @example {
             *       "order": 7
             *     }
             */
            metadata?: Record<string, unknown> | string;
            /**
             * @description Type of contact.
             * @example employee
             * @enum {string}
             */
            type?: "employee" | "beneficiary" | "vendor" | "other";
            /**
             * @description Whether the contact is in use.
             * @example active
             * @enum {string}
             */
            status?: "active" | "inactive";
            /**
             * @description Number of an identity document.
             * @example CM12345678ABCD
             */
            national_id?: string;
            /**
             * @description Type of the document.
             * @example passport
             * @enum {string}
             */
            national_id_type?: "passport" | "military" | "national";
            /**
             * @description The customer number, which payers type; null for none.
             * @example P5-017
             */
            number?: string | null;
            /**
             * @description All tags of the contact; null for none.
             * @example [
             *       "P5",
             *       "Bus 2"
             *     ]
             */
            tags?: (string[] | string) | null;
            /**
             * @description Your own text about the customer; null for none.
             * @example
             */
            notes?: string | null;
            /**
             * @description All who else pay for the customer; null for nobody.
             * @example [
             *       {
             *         "phone_number": "+80000000009",
             *         "name": "Grace Nakato"
             *       }
             *     ]
             */
            payers?: components["schemas"]["NewContactPayer"][] | null;
        };
        ContactDetails: {
            /** @example 1 */
            id: number;
            /**
             * @description Your organization.
             * @example 1
             */
            organization: number;
            /**
             * @description `Anonymous` until a name is given.
             * @example Jane
             */
            first_name: string;
            /**
             * @description `Contact` until a name is given.
             * @example Doe
             */
            last_name: string;
            /**
             * @description E-mail address.
             * @example null
             */
            email: string | null;
            /**
             * @description E.164; empty for a customer without a phone.
             * @example +80000000000
             */
            phone_number: string;
            /**
             * @description `employee`, `beneficiary`, `vendor` or `other`.
             * @example employee
             */
            type: string;
            /**
             * @description `active` or `inactive`.
             * @example active
             */
            status: string;
            /**
             * @description Your own attributes.
             * @example null
             */
            metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * @description `yes` when a network serves the number.
             * @example yes
             */
            phone_is_supported: string;
            /**
             * @description Whether the number has mobile money: `yes`, `no`, or `unknown` until the network responds.
             * @example yes
             */
            phone_is_mm_registered: string;
            /**
             * @description The name that the network knows; empty until the network responds.
             * @example Jane Doe
             */
            name_on_network: string;
            /**
             * @description `checked` after the two names were compared, else `unchecked`.
             * @example checked
             */
            name_matches_network_status: string;
            /**
             * @description How similar the two names are, 0 to 100.
             * @example 100
             */
            name_matches_network_score: number;
            /**
             * @description The network that serves the number.
             * @example Sandbox Network
             */
            network_name: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            modified: string;
            /**
             * @description The user who created the contact.
             * @example 1
             */
            author: number;
            /**
             * @description The user who changed it last.
             * @example null
             * @example 7
             */
            updated_by: number | null;
            /**
             * @description Number of an identity document.
             * @example null
             * @example CM12345678ABCD
             */
            national_id: string | null;
            /**
             * @description Type of the document.
             * @example null
             * @example national
             */
            national_id_type: ("passport" | "military" | "national") | null;
            /**
             * @description The customer number, which payers type; unique.
             * @example null
             * @example P5-017
             */
            number: string | null;
            /**
             * @description Groups of customers, such as a class or a route.
             * @example [
             *       "P5"
             *     ]
             */
            tags: string[];
            /**
             * @description Your own text about the customer.
             * @example
             */
            notes: string;
            /**
             * @description Who else pays for the customer; the first is asked if it has no phone.
             * @example []
             */
            payers: components["schemas"]["ContactPayer"][];
        };
        ContactMoney: {
            /**
             * @description Credit of the customer, the oldest first. It pays the next invoice.
             * @example []
             */
            credit: components["schemas"]["Credit"][];
            /**
             * @description Unmatched money from the phones of the customer, newest first.
             * @example []
             */
            unmatched: components["schemas"]["PhoneMoney"][];
        };
        ContactPayer: {
            /**
             * @description E.164.
             * @example +80000000009
             */
            phone_number: string;
            /**
             * @description Who it is; may be empty.
             * @example Grace Nakato
             */
            name: string;
        };
        Country: {
            /**
             * @description ISO 3166-1, two letters.
             * @example UG
             */
            iso: string;
            /**
             * @description ISO 3166-1, three letters.
             * @example UGA
             */
            iso3: string;
            /**
             * @description ISO 3166-1, numeric.
             * @example 800
             */
            iso_numeric: number;
            /**
             * @description Name in capitals.
             * @example UGANDA
             */
            name: string;
            /**
             * @description Name in ordinary spelling.
             * @example Uganda
             */
            printable_name: string;
            /**
             * @description Calling code without the plus sign.
             * @example 256
             */
            phone_prefix: string;
            /**
             * @description Whether money can be collected here.
             * @example true
             */
            supported: boolean;
        };
        Credit: {
            /**
             * @description The allocation that made it credit.
             * @example 7
             */
            allocation: number;
            /**
             * @description The payment.
             * @example 12
             */
            collection: number;
            /**
             * @description Three-letter code.
             * @example BXC
             */
            currency: string;
            /**
             * @description What is left of it.
             * @example 15000.0000
             */
            amount: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
        };
        CreditChange: {
            /**
             * @description The customer.
             * @example 3
             */
            id: number;
            /**
             * @description Its customer number; null for none.
             * @example P5-017
             */
            customer_number: string | null;
            /**
             * @description Three-letter code.
             * @example BXC
             */
            currency: string;
            /**
             * @description The amount added to the account; negative when it was used, moved, refunded or taken back.
             * @example 15000.0000
             */
            amount: string;
            /**
             * @description The credit of the customer in this currency afterwards.
             * @example 15000.0000
             */
            balance: string;
            /**
             * @description The payment whose money it is.
             * @example 12
             */
            collection: number;
            /**
             * @description The invoice that the credit has paid, or that the money was for before; null for none.
             * @example null
             */
            invoice: number | null;
        };
        Currency: {
            /** @example 1 */
            id: number;
            /**
             * @description Name of the currency.
             * @example Ugandan Shilling
             */
            name: string;
            /**
             * @description Three-letter code.
             * @example UGX
             */
            code: string;
            country: components["schemas"]["Country"];
            /**
             * @description Units of the currency for one US dollar.
             * @example 3560
             */
            usd_rate: number;
        };
        CustomerStatement: {
            /**
             * @description The customer.
             * @example 3
             */
            contact: number;
            /**
             * @description The customer number.
             * @example P5-0012
             */
            customer_number: string | null;
            /**
             * @description The name of the customer; empty if it is not known.
             * @example Jane Doe
             */
            customer_name: string;
            /**
             * @description Three-letter code.
             * @example UGX
             */
            currency: string;
            /**
             * @description The currencies in which the customer has an account.
             * @example [
             *       "UGX"
             *     ]
             */
            currencies: string[];
            /**
             * @description The first day, in the time zone of the organization.
             * @example 2030-01-01
             */
            first_day: string;
            /**
             * @description The last day.
             * @example 2030-01-31
             */
            last_day: string;
            /**
             * @description The time zone of the organization.
             * @example Africa/Kampala
             */
            zone: string;
            /**
             * @description What the customer owed before the first day; negative for credit.
             * @example 0.0000
             */
            opening_balance: string;
            /**
             * @description What happened, the oldest first.
             * @example []
             */
            entries: components["schemas"]["StatementEntry"][];
            /**
             * @description The sum of what is owed more.
             * @example 200000.0000
             */
            charged_amount: string;
            /**
             * @description The sum of what is owed less.
             * @example 85000.0000
             */
            credited_amount: string;
            /**
             * @description What the customer owed after the last day; negative for credit.
             * @example 115000.0000
             */
            closing_balance: string;
            /**
             * @description What the open invoices asked for after the last day.
             * @example 115000.0000
             */
            open_amount: string;
            /**
             * @description Credit, and what was paid too much, after the last day.
             * @example 0.0000
             */
            credit_amount: string;
            /**
             * @description Money from the phones of the customer that is for nothing yet, now. It is not a part of the balance.
             * @example 0.0000
             */
            unmatched_amount: string;
        };
        DataBundle: {
            /**
             * @description Display name.
             * @example 1.5GB 1-Month Mobile - 1000 Naira - Monthly
             */
            name: string;
            /**
             * @description Amount of data.
             * @example 1.5GB
             */
            allowance: string | null;
            /** @example 1500 */
            price: string;
            /**
             * @description Period of validity.
             * @example Monthly
             */
            validity: string | null;
            /**
             * @description Code of the bundle in a purchase.
             * @example 1000
             */
            datacode: string;
        };
        Detail: {
            /** @example Not found. */
            detail: string;
        };
        DuplicateRefusal: {
            /** @example Duplicate Request Detected! */
            detail: string;
            /**
             * @description Type of the object that the first request created.
             * @example collectionrequest
             */
            type?: string;
            /**
             * @description Id of that object.
             * @example 123
             */
            id?: number;
        };
        Event: {
            /** @example 1 */
            id: number;
            /**
             * @description Your organization.
             * @example 1
             */
            organization: number;
            /**
             * @description What happened.
             * @example collection.received
             */
            type: string;
            /**
             * @description The object as it was when it happened.
             * @example {
             *       "id": 12
             *     }
             */
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            /**
             * @description The user who caused it.
             * @example 1
             */
            author: number;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            modified: string;
            /**
             * @description The user who changed it last.
             * @example null
             */
            updated_by: string | null;
        };
        ExamProduct: {
            /**
             * @description Id of the product.
             * @example 7
             */
            id: number;
            /** @example 1500 */
            amount: string;
            /**
             * @description Code in a purchase.
             * @example DE
             */
            product_code: string;
        };
        /** @description Every invalid field with its messages. Messages about no single field are in `non_field_errors`. */
        FieldErrors: {
            [key: string]: string[];
        };
        Incoming: {
            /** @example 1 */
            id: number;
            /**
             * @description Your organization.
             * @example 1
             */
            organization: number;
            /**
             * @description The network operator's own id of the payment. Until the network tells it, our reference of the order, or the network's id of the order.
             * @example TX1
             */
            remote_transaction_id: string;
            /**
             * @description The amount that was received.
             * @example 1500.0000
             */
            amount: string;
            /**
             * @description How much of it the network has taken back. It is all of the amount when the status is `reversed`.
             * @example 0.0000
             * @example 300.0000
             */
            reversed_amount: string;
            /**
             * @description Three-letter code.
             * @example BXC
             */
            currency: string;
            /**
             * @description The wallet that the money is for.
             * @example 1
             */
            account: number;
            /**
             * @description The phone number that paid.
             * @example +80000000000
             */
            phonenumber: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            payment_date: string;
            /**
             * @description The reference that the customer typed.
             * @example null
             * @example 123
             */
            reference: string | null;
            /**
             * @description `pending` until your acceptance URL has answered, `failed` if you rejected it, `reversed` if the network took all of the money back. New values may be added.
             * @example successful
             * @enum {string}
             */
            status: "pending" | "successful" | "failed" | "reversed";
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            /**
             * @description The user who recorded it, usually the service user.
             * @example 1
             */
            author: number;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            modified: string;
            /**
             * @description The user who changed it last.
             * @example null
             * @example 7
             */
            updated_by: string | null;
            contact: components["schemas"]["Contact"];
            /** @description The request that it fulfilled, if any. */
            collection_request: components["schemas"]["CollectionRequest"] | null;
            /** @description The transaction that credited it to the wallet; null until then. */
            transaction: {
                /** @example 1 */
                id: number;
                /**
                 * @description The amount that was credited.
                 * @example 1500.0000
                 */
                amount: string;
                /**
                 * @description The type of the transaction.
                 * @constant
                 */
                type: "mobile_collection";
                /**
                 * @description Three-letter code.
                 * @example BXC
                 */
                currency: string;
                /**
                 * Format: date-time
                 * @example 2030-01-31T12:00:00Z
                 */
                created: string;
                /**
                 * @description A description in words.
                 * @example Collection 12 from +80000000000
                 */
                description: string;
                /**
                 * @description The wallet.
                 * @example {
                 *       "id": 5,
                 *       "organization": 1,
                 *       "currency": "BXC"
                 *     }
                 */
                account: {
                    /** @example 1 */
                    id: number;
                    /** @example 1 */
                    organization: number;
                    currency: string;
                };
                /**
                 * @description The transaction that charged the fee, if there was one.
                 * @example null
                 * @example 8
                 */
                fee_transaction: number | null;
            } | null;
            standing: {
                network: string;
                unmatched: boolean;
                claimed_by: number | null;
                /** @example 1500.0000 */
                left: string;
                given_back_by: number[];
                is_stand_in: boolean;
                network_name: string;
            };
        };
        IncomingDetails: {
            /** @example 1 */
            id: number;
            /**
             * @description Your organization.
             * @example 1
             */
            organization: number;
            /**
             * @description The network operator's own id of the payment. Until the network tells it, our reference of the order, or the network's id of the order.
             * @example TX1
             */
            remote_transaction_id: string;
            /**
             * @description The amount that was received.
             * @example 1500.0000
             */
            amount: string;
            /**
             * @description How much of it the network has taken back. It is all of the amount when the status is `reversed`.
             * @example 0.0000
             * @example 300.0000
             */
            reversed_amount: string;
            /**
             * @description Three-letter code.
             * @example BXC
             */
            currency: string;
            /**
             * @description The wallet that the money is for.
             * @example 1
             */
            account: number;
            /**
             * @description The phone number that paid.
             * @example +80000000000
             */
            phonenumber: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            payment_date: string;
            /**
             * @description The reference that the customer typed.
             * @example null
             * @example 123
             */
            reference: string | null;
            /**
             * @description `pending` until your acceptance URL has answered, `failed` if you rejected it, `reversed` if the network took all of the money back. New values may be added.
             * @example successful
             * @enum {string}
             */
            status: "pending" | "successful" | "failed" | "reversed";
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            /**
             * @description The user who recorded it, usually the service user.
             * @example 1
             */
            author: number;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            modified: string;
            /**
             * @description The user who changed it last.
             * @example null
             * @example 7
             */
            updated_by: string | null;
            contact: components["schemas"]["Contact"];
            /** @description The request that it fulfilled, if any. */
            collection_request: components["schemas"]["CollectionRequest"] | null;
            /** @description The transaction that credited it to the wallet; null until then. */
            transaction: {
                /** @example 1 */
                id: number;
                /**
                 * @description The amount that was credited.
                 * @example 1500.0000
                 */
                amount: string;
                /**
                 * @description The type of the transaction.
                 * @constant
                 */
                type: "mobile_collection";
                /**
                 * @description Three-letter code.
                 * @example BXC
                 */
                currency: string;
                /**
                 * Format: date-time
                 * @example 2030-01-31T12:00:00Z
                 */
                created: string;
                /**
                 * @description A description in words.
                 * @example Collection 12 from +80000000000
                 */
                description: string;
                /**
                 * @description The wallet.
                 * @example {
                 *       "id": 5,
                 *       "organization": 1,
                 *       "currency": "BXC"
                 *     }
                 */
                account: {
                    /** @example 1 */
                    id: number;
                    /** @example 1 */
                    organization: number;
                    currency: string;
                };
                /**
                 * @description The transaction that charged the fee, if there was one.
                 * @example null
                 * @example 8
                 */
                fee_transaction: number | null;
            } | null;
            standing: {
                network: string;
                unmatched: boolean;
                claimed_by: number | null;
                /** @example 1500.0000 */
                left: string;
                given_back_by: number[];
                is_stand_in: boolean;
                network_name: string;
            };
            pays_for: {
                /** @example 1 */
                id: number;
                name: string;
                number: string | null;
                payer: string;
            }[];
        };
        Invoice: {
            /** @example 1 */
            id: number;
            /**
             * @description Your organization.
             * @example 1
             */
            organization: number;
            /**
             * @description Without gaps for each organization; null for a draft.
             * @example INV-000012
             */
            number: string | null;
            /**
             * @description The page for the customer; null for a draft.
             * @example https://pay.example.com/pay/invoices/3q2-7wAAAAAAAAAA
             */
            url: string | null;
            /**
             * @description The same as PDF; null for a draft.
             * @example null
             */
            pdf_url: string | null;
            /**
             * @description Drafts can be changed; issued ones can only be voided.
             * @example issued
             * @enum {string}
             */
            state: "draft" | "issued" | "paid" | "void";
            /**
             * @description Whether it is issued and its due date is over.
             * @example false
             */
            overdue: boolean;
            /**
             * @description The customer.
             * @example 3
             */
            contact: number;
            /**
             * @description The name of the customer; empty if it is not known.
             * @example Jane Doe
             */
            customer_name: string;
            /**
             * @description The number of the customer; null for none.
             * @example P5-017
             */
            customer_number: string | null;
            /**
             * @description The tags of the customer, such as a class.
             * @example [
             *       "P5"
             *     ]
             */
            tags: string[];
            /**
             * @description The phone number of the customer, or of the first who pays for a customer without one; empty for none.
             * @example +80000000000
             */
            phonenumber: string;
            /**
             * @description Three-letter code.
             * @example BXC
             */
            currency: string;
            /**
             * @description The wallet that receives the money; null for the local one.
             * @example null
             */
            account: number | null;
            /**
             * @description What is sold.
             * @example []
             */
            lines: components["schemas"]["InvoiceLine"][];
            /**
             * @description The tax of each rate.
             * @example []
             */
            taxes: components["schemas"]["InvoiceTax"][];
            /**
             * @description The sum of the lines, without tax.
             * @example 1500.0000
             */
            subtotal: string;
            /**
             * @description What is to be paid: the subtotal and the taxes.
             * @example 1770.0000
             */
            total: string;
            /**
             * @description What arrived and was not taken back by the network.
             * @example 0.0000
             */
            amount_paid: string;
            /**
             * @description What is still to be paid; zero for drafts and void ones.
             * @example 1770.0000
             */
            amount_open: string;
            /**
             * @description What networks took back.
             * @example 0.0000
             */
            amount_reversed: string;
            /**
             * @description What was refunded. It is not asked for again.
             * @example 0.0000
             */
            amount_refunded: string;
            /**
             * @description The least that its page takes as a part; null: its page takes the open amount only.
             * @example 500.0000
             */
            min_part: string | null;
            /**
             * @description The last day to pay, in the time zone of the organization.
             * @example 2030-02-14
             */
            due_date: string;
            /**
             * @description Text below the lines.
             * @example Thank you.
             */
            notes: string;
            /**
             * @description The language of the customer.
             * @example en
             * @enum {string}
             */
            language: "en" | "sw" | "fr";
            /**
             * @description Reminders, in days after the due date; negative before.
             * @example [
             *       -3,
             *       0,
             *       7
             *     ]
             */
            reminder_days: number[];
            /**
             * @description Whether reminders also request the open amount.
             * @example false
             */
            reminder_prompts: boolean;
            /**
             * @description When the next reminder is due; null for none.
             * @example null
             */
            next_reminder: string | null;
            /**
             * @description To whom it was sent, newest first.
             * @example []
             */
            sends: {
                /**
                 * @description How it was sent.
                 * @example sms
                 * @enum {string}
                 */
                channel: "sms" | "email";
                /**
                 * @description The phone number or e-mail address.
                 * @example +80000000000
                 */
                recipient: string;
                /**
                 * @description `delivered`: the phone has it. For e-mail, `sent`: the mail server has taken it.
                 * @example delivered
                 * @enum {string}
                 */
                state: "waiting" | "sent" | "delivered" | "failed" | "unknown";
                /**
                 * Format: date-time
                 * @example 2030-01-31T12:00:00Z
                 */
                created: string;
            }[];
            /**
             * @description The reminders, newest first.
             * @example []
             */
            reminders: components["schemas"]["InvoiceReminder"][];
            /**
             * @description Its collection requests, newest first.
             * @example []
             */
            requests: components["schemas"]["InvoiceRequest"][];
            /**
             * @description Money for it that no request asked for, newest first.
             * @example []
             */
            allocations: components["schemas"]["InvoiceAllocation"][];
            /**
             * @description Money of the customer that matches nothing yet. While there is some, no reminder and no prompt is sent.
             * @example []
             */
            waiting_money: components["schemas"]["InvoiceWaitingMoney"][];
            /**
             * @description When it was issued.
             * @example null
             */
            issued: string | null;
            /**
             * @description When the sum was reached last.
             * @example null
             */
            paid: string | null;
            /**
             * @description When it was voided.
             * @example null
             */
            voided: string | null;
            /**
             * @description Why it was voided.
             * @example
             */
            void_reason: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            /**
             * @description The user who made it, and the author of its requests.
             * @example 1
             */
            author: number;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            modified: string;
            /**
             * @description The user who changed it last.
             * @example null
             * @example 7
             */
            updated_by: string | null;
        };
        InvoiceAllocation: {
            /** @example 1 */
            id: number;
            /**
             * @description The money.
             * @example 1
             */
            collection: number;
            /**
             * @description Why: `invoice_number`, `link_number`, `customer_number`: the payer typed it. `same_amount`: the only open invoice of the customer with this amount. `only_customer`: the phone pays for this customer only. `surplus`: more than was open. `credit`: credit of the customer. `person`: a person chose it.
             * @example invoice_number
             * @enum {string}
             */
            reason: "invoice_number" | "link_number" | "customer_number" | "same_amount" | "only_customer" | "surplus" | "credit" | "person";
            /**
             * @description What the person wrote.
             * @example
             */
            note: string;
            /**
             * @description The person; null for the service.
             * @example null
             */
            author: number | null;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            /**
             * @description What arrived and was not taken back by the network.
             * @example 85000.0000
             */
            amount_paid: string;
            /**
             * @description What the network took back.
             * @example 0.0000
             */
            amount_reversed: string;
            /**
             * @description What was refunded or is being refunded.
             * @example 0.0000
             */
            amount_refunded: string;
        };
        InvoiceBatch: {
            /** @example 1 */
            id: number;
            /**
             * @description `file`: from a file. `tag`: for all customers with a tag.
             * @example tag
             * @enum {string}
             */
            source: "file" | "tag";
            /**
             * @description The name of the file, or the tag.
             * @example P5
             */
            name: string;
            /**
             * @description What happened where the customer had a draft or an open invoice with the same text and amount.
             * @example skip
             * @enum {string}
             */
            duplicates: "skip" | "create";
            /**
             * @description Whether its invoices were issued at once; otherwise they are drafts.
             * @example true
             */
            issue: boolean;
            /**
             * @description Rows of the file, or customers with the tag.
             * @example 120
             */
            rows: number;
            /**
             * @description Rows of the file that were refused.
             * @example 0
             */
            refused: number;
            /**
             * @description Invoices that were not made, because the customer has the same already.
             * @example 3
             */
            skipped: number;
            /**
             * @description Invoices that were made.
             * @example 117
             */
            made: number;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            /**
             * @description The user who made it.
             * @example 1
             */
            author: number;
            /**
             * @description The name of this user.
             * @example Jane Doe
             */
            author_name: string;
            /** @description When its last invoice was made. Null while it is running, and if it was interrupted: the same call goes on. */
            finished: string | null;
        };
        InvoiceBatchDuplicate: {
            /** @example 1 */
            contact: number;
            /**
             * @description The number of the customer.
             * @example P5-017
             */
            customer_number: string | null;
            /**
             * @description The name of the customer.
             * @example Jane Doe
             */
            name: string;
            /**
             * @description The draft or open invoice with the same text and amount.
             * @example 12
             */
            invoice: number;
            /**
             * @description Its number; null for a draft.
             * @example INV-000012
             */
            number: string | null;
        };
        InvoiceBatchPreview: {
            /**
             * @description The tag.
             * @example P5
             */
            tag: string;
            /**
             * @description The last day to pay.
             * @example 2030-02-28
             */
            due_date: string;
            /**
             * @description How many customers have the tag.
             * @example 120
             */
            customers: number;
            /**
             * @description How many of them cannot be reminded, because nobody has a phone.
             * @example 2
             */
            without_phone: number;
            /**
             * @description If all of them get one.
             * @example []
             */
            all: components["schemas"]["InvoiceBatchSum"][];
            /**
             * @description If those who have the same already get none.
             * @example []
             */
            without_duplicates: components["schemas"]["InvoiceBatchSum"][];
            /**
             * @description Who has the same already.
             * @example []
             */
            duplicates: components["schemas"]["InvoiceBatchDuplicate"][];
        };
        InvoiceBatchSum: {
            /**
             * @description Three-letter code.
             * @example UGX
             */
            currency: string;
            /**
             * @description How many.
             * @example 117
             */
            invoices: number;
            /**
             * @description Their totals together.
             * @example 99450000.0000
             */
            total: string;
        };
        /**
         * @example {
         *       "due_date": "30 days"
         *     }
         */
        InvoiceChanges: {
            /**
             * @description One of BXC, UGX, KES.
             * @example BXC
             */
            currency?: string;
            /**
             * @description What is sold: at least one line.
             * @example [
             *       {
             *         "text": "Consulting",
             *         "unit_price": "1500"
             *       }
             *     ]
             */
            lines?: components["schemas"]["NewInvoiceLine"][];
            /**
             * @description The customer; or a phone number.
             * @example 3
             */
            contact?: number;
            /**
             * @description Phone number with the country code.
             * @example +80000000000
             */
            phonenumber?: string;
            /**
             * @description For a phone number without a contact. Default `Anonymous`.
             * @example Jane
             */
            first_name?: string;
            /**
             * @description For a phone number without a contact. Default `Contact`.
             * @example Doe
             */
            last_name?: string;
            /**
             * @description The wallet to collect into; needed for a cross-border one.
             * @example 1
             */
            account?: number;
            /**
             * @description The last day to pay: YYYY-MM-DD, DD/MM/YYYY, `28 February`, or a time from now such as `14 days`. Default: 14 days.
             * @example 14 days
             */
            due_date?: string;
            /**
             * @description Text below the lines.
             * @example Thank you.
             */
            notes?: string;
            /**
             * @description The language of the customer: of page, PDF, SMS and mails. Default `en`.
             * @example en
             * @enum {string}
             */
            language?: "en" | "sw" | "fr";
            /**
             * @description The least that its page takes as a part. Default, and 0: its page takes the open amount only.
             * @example 500
             */
            min_part?: string;
            /**
             * @description When the customer is reminded by SMS, in days after the due date; negative before. Default: never.
             * @example [
             *       -3,
             *       0,
             *       7
             *     ]
             */
            reminder_days?: number[] | string;
            /**
             * @description Whether a reminder also requests the open amount with a prompt. Default false.
             * @example false
             */
            reminder_prompts?: boolean;
        };
        InvoiceCustomerSum: {
            /** @example 1 */
            contact: number;
            /**
             * @description The number of the customer.
             * @example P5-017
             */
            customer_number: string | null;
            /**
             * @description The name of the customer.
             * @example Jane Doe
             */
            name: string;
            /**
             * @description The phone, or that of the first who pays; empty for none.
             * @example +80000000000
             */
            phonenumber: string;
            /**
             * @description Three-letter code; null without invoices.
             * @example UGX
             */
            currency: string | null;
            /**
             * @description The totals of the issued invoices, without void ones.
             * @example 850000.0000
             */
            invoiced: string;
            /**
             * @description What arrived for them.
             * @example 400000.0000
             */
            paid: string;
            /**
             * @description What is still to be paid.
             * @example 450000.0000
             */
            open: string;
            /**
             * @description Issued invoices, without void ones.
             * @example 1
             */
            invoices: number;
            /**
             * @description `none`: no issued invoice. `part`: something is paid, and not all.
             * @example part
             * @enum {string}
             */
            state: "none" | "unpaid" | "part" | "paid";
            /**
             * @description Whether one of them is overdue.
             * @example false
             */
            overdue: boolean;
        };
        InvoiceLeftOut: {
            /** @example 1 */
            invoice: number;
            /**
             * @description Its number; null for a draft.
             * @example null
             */
            number: string | null;
            /**
             * @description Why nothing was done with it.
             * @example The due date is over. Change it first.
             */
            message: string;
        };
        InvoiceLine: {
            /**
             * @description What is sold.
             * @example Consulting
             */
            text: string;
            /**
             * @description How much of it.
             * @example 2.0000
             */
            quantity: string;
            /**
             * @description The price of one, without tax; negative for a discount.
             * @example 750.0000
             */
            unit_price: string;
            /**
             * @description In percent; null for none.
             * @example 18.0000
             */
            tax_rate: string | null;
            /**
             * @description Quantity times price, without tax.
             * @example 1500.0000
             */
            amount: string;
        };
        InvoiceReminder: {
            /**
             * @description The day in the time zone of the organization.
             * @example 2030-02-14
             */
            day: string;
            /**
             * @description The SMS; null for none.
             * @example 7
             */
            sms_message: number | null;
            /**
             * @description The request for the open amount; null for none.
             * @example null
             */
            collection_request: number | null;
            /**
             * @description Why no SMS or no request was made; null for no problem.
             * @example null
             */
            problem: string | null;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
        };
        InvoiceRequest: {
            /** @example 1 */
            id: number;
            /**
             * @description `page`: the customer paid on the page. `reminder`: a reminder. `manual`: you asked for it.
             * @example page
             * @enum {string}
             */
            source: "page" | "reminder" | "manual";
            /**
             * @description The status of the collection request.
             * @example successful
             */
            status: string;
            /**
             * @description The phone number that is asked.
             * @example +80000000000
             */
            phonenumber: string;
            /**
             * @description What was asked for.
             * @example 1770.0000
             */
            amount: string;
            /**
             * @description The payment; null until it arrives.
             * @example 12
             */
            collection: number | null;
            /**
             * @description What arrived and was not taken back by the network.
             * @example 1770.0000
             */
            amount_paid: string;
            /**
             * @description What the network took back.
             * @example 0.0000
             */
            amount_reversed: string;
            /**
             * @description What was refunded or is being refunded.
             * @example 0.0000
             */
            amount_refunded: string;
            /** @description When the money arrived; null until it does. */
            paid: string | null;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
        };
        /**
         * @example {
         *       "filter": {
         *         "tag": "P5"
         *       }
         *     }
         */
        InvoiceSelection: {
            /**
             * @description Their ids. Give these, or a filter.
             * @example [
             *       1,
             *       2,
             *       3
             *     ]
             */
            invoices?: number[];
            /**
             * @description All that match these filters of the list, and are in a state for it.
             * @example {
             *       "tag": "P5"
             *     }
             */
            filter?: {
                /**
                 * @description The number, with or without its letters and zeros.
                 * @example INV-000012
                 */
                number?: string;
                /**
                 * @description State; `part`: issued, and a part of it is paid; `unpaid`: issued, and nothing of it is paid. One that does not exist finds nothing.
                 * @example issued
                 */
                state?: string;
                /**
                 * @description `true`: only overdue ones; `false`: only others.
                 * @example true
                 */
                overdue?: string;
                /**
                 * @description Id of the customer.
                 * @example 12
                 */
                contact?: number;
                /**
                 * @description The number of the customer, as payers type it.
                 * @example P5-017
                 */
                customer_number?: string;
                /**
                 * @description A tag of the customer, such as a class.
                 * @example P5
                 */
                tag?: string;
                /**
                 * @description Id of the batch that made it.
                 * @example 12
                 */
                batch?: number;
                /**
                 * @description International format; a missing `+` is added. A literal plus is sent as `%2B`.
                 * @example +80000000000
                 */
                phonenumber?: string;
                /**
                 * @description Id of one of its requests.
                 * @example 12
                 */
                collection_request?: number;
                /**
                 * @description Id of one of its payments.
                 * @example 12
                 */
                collection?: number;
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: string;
                /**
                 * @description Exact amount; `100` finds `100.0000`.
                 * @example 1500
                 */
                total?: string;
                /**
                 * @description Due after this day.
                 * @example 2030-01-31
                 */
                due_after?: string;
                /**
                 * @description Due before this day.
                 * @example 2030-01-31
                 */
                due_before?: string;
                /**
                 * @description Created after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_after?: string;
                /**
                 * @description Created before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_before?: string;
                /**
                 * @description Modified after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_after?: string;
                /**
                 * @description Modified before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_before?: string;
            };
        };
        /**
         * @example {
         *       "filter": {
         *         "batch": 3
         *       },
         *       "reason": "Wrong price"
         *     }
         */
        InvoiceSelectionVoid: {
            /**
             * @description Their ids. Give these, or a filter.
             * @example [
             *       1,
             *       2,
             *       3
             *     ]
             */
            invoices?: number[];
            /**
             * @description All that match these filters of the list, and are in a state for it.
             * @example {
             *       "tag": "P5"
             *     }
             */
            filter?: {
                /**
                 * @description The number, with or without its letters and zeros.
                 * @example INV-000012
                 */
                number?: string;
                /**
                 * @description State; `part`: issued, and a part of it is paid; `unpaid`: issued, and nothing of it is paid. One that does not exist finds nothing.
                 * @example issued
                 */
                state?: string;
                /**
                 * @description `true`: only overdue ones; `false`: only others.
                 * @example true
                 */
                overdue?: string;
                /**
                 * @description Id of the customer.
                 * @example 12
                 */
                contact?: number;
                /**
                 * @description The number of the customer, as payers type it.
                 * @example P5-017
                 */
                customer_number?: string;
                /**
                 * @description A tag of the customer, such as a class.
                 * @example P5
                 */
                tag?: string;
                /**
                 * @description Id of the batch that made it.
                 * @example 12
                 */
                batch?: number;
                /**
                 * @description International format; a missing `+` is added. A literal plus is sent as `%2B`.
                 * @example +80000000000
                 */
                phonenumber?: string;
                /**
                 * @description Id of one of its requests.
                 * @example 12
                 */
                collection_request?: number;
                /**
                 * @description Id of one of its payments.
                 * @example 12
                 */
                collection?: number;
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: string;
                /**
                 * @description Exact amount; `100` finds `100.0000`.
                 * @example 1500
                 */
                total?: string;
                /**
                 * @description Due after this day.
                 * @example 2030-01-31
                 */
                due_after?: string;
                /**
                 * @description Due before this day.
                 * @example 2030-01-31
                 */
                due_before?: string;
                /**
                 * @description Created after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_after?: string;
                /**
                 * @description Created before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_before?: string;
                /**
                 * @description Modified after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_after?: string;
                /**
                 * @description Modified before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_before?: string;
            };
            /**
             * @description Why, in own words; it is kept.
             * @example Wrong price
             */
            reason?: string;
        };
        InvoiceTagSum: {
            /**
             * @description The tag, such as a class; null for customers without one.
             * @example P5
             */
            tag: string | null;
            /**
             * @description Three-letter code; null without invoices.
             * @example UGX
             */
            currency: string | null;
            /**
             * @description The totals of the issued invoices, without void ones.
             * @example 850000.0000
             */
            invoiced: string;
            /**
             * @description What arrived for them.
             * @example 400000.0000
             */
            paid: string;
            /**
             * @description What is still to be paid.
             * @example 450000.0000
             */
            open: string;
            /**
             * @description Issued invoices, without void ones.
             * @example 120
             */
            invoices: number;
            /**
             * @description Drafts, which are in no other figure.
             * @example 0
             */
            drafts: number;
            /**
             * @description Nothing of them is paid.
             * @example 60
             */
            unpaid_invoices: number;
            /**
             * @description A part of them is paid.
             * @example 20
             */
            part_invoices: number;
            /**
             * @description All of them is paid.
             * @example 40
             */
            paid_invoices: number;
            /**
             * @description Their due date is over, and they are not paid.
             * @example 5
             */
            overdue_invoices: number;
        };
        InvoiceTax: {
            /**
             * @description In percent.
             * @example 18.0000
             */
            rate: string;
            /**
             * @description The sum of the lines with this rate.
             * @example 1500.0000
             */
            net: string;
            /**
             * @description The tax.
             * @example 270.0000
             */
            amount: string;
        };
        InvoiceWaitingMoney: {
            /**
             * @description The payment.
             * @example 12
             */
            collection: number;
            /**
             * @description The phone number that paid.
             * @example +80000000000
             */
            phonenumber: string;
            /**
             * @description What the payer typed.
             * @example INV 12
             */
            reference: string | null;
            /**
             * @description How much of it is for nothing yet.
             * @example 85000.0000
             */
            amount: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            paid: string;
        };
        InvoicesDone: {
            /**
             * @description With how many invoices it was done.
             * @example 4
             */
            done: number;
            /**
             * @description The others, each with the reason.
             * @example []
             */
            left_out: components["schemas"]["InvoiceLeftOut"][];
        };
        MatchSuggestion: {
            /**
             * @description `named`: the payer typed its number, and others, or the money does not fit. `near_number`: the number differs by one digit. `same_phone`: the phone pays for this customer. `same_name`: the payer has the name of the customer. `same_amount`: an open invoice has this amount. `adds_up`: the open amounts together are this amount. `near_amount`: an open request of the phone asks for another amount.
             * @example near_number
             * @enum {string}
             */
            reason: "named" | "near_number" | "same_phone" | "same_name" | "same_amount" | "adds_up" | "near_amount";
            /**
             * @description What the money would be for; several parts split it.
             * @example []
             */
            parts: {
                /**
                 * @description The invoice.
                 * @example 12
                 */
                invoice: number | null;
                /**
                 * @description The customer: owner of the invoice, or whose credit it would be.
                 * @example 3
                 */
                contact: number | null;
                /**
                 * @description The open request.
                 * @example null
                 */
                collection_request: number | null;
                /**
                 * @description The number of the invoice, or of the customer; empty for a request.
                 * @example INV-000012
                 */
                number: string;
                /**
                 * @description The name of the customer.
                 * @example Jane Doe
                 */
                name: string;
                /**
                 * @description The number of the customer; null for none.
                 * @example P5-017
                 */
                customer_number: string | null;
                /**
                 * @description How much of the money it would get.
                 * @example 85000.0000
                 */
                amount: string;
                /**
                 * @description What is asked for; null for a customer.
                 * @example 200000.0000
                 */
                asked: string | null;
            }[];
        };
        MatchingSettings: {
            /**
             * @description More money than an invoice asks for: `keep` leaves it unmatched, `credit` puts it on the account of the customer, where it pays the next invoice, `return` sends it back.
             * @example credit
             * @enum {string}
             */
            overpayment: "keep" | "credit" | "return";
            /**
             * @description The answer to a network that asks before it takes money, where the payer typed a number that is not known.
             * @example accept
             * @enum {string}
             */
            unknown_number: "accept" | "reject";
        };
        /**
         * @example {
         *       "overpayment": "credit"
         *     }
         */
        MatchingSettingsChanges: {
            /**
             * @description More money than an invoice asks for: `keep` leaves it unmatched, `credit` puts it on the account of the customer, where it pays the next invoice, `return` sends it back.
             * @example credit
             * @enum {string}
             */
            overpayment?: "keep" | "credit" | "return";
            /**
             * @description The answer to a network that asks before it takes money, where the payer typed a number that is not known.
             * @example accept
             * @enum {string}
             */
            unknown_number?: "accept" | "reject";
        };
        NearMoney: {
            /**
             * @description The payment.
             * @example 12
             */
            collection: number;
            /**
             * @description The phone number that paid.
             * @example +80000000000
             */
            phonenumber: string;
            /**
             * @description What the payer typed.
             * @example INV 12
             */
            reference: string | null;
            /**
             * @description Three-letter code.
             * @example BXC
             */
            currency: string;
            /**
             * @description How much of it is for nothing yet.
             * @example 85000.0000
             */
            amount: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            paid: string;
            /**
             * @description How much more it is than the request asks for; negative: less.
             * @example -1.0000
             */
            difference: string;
        };
        Network: {
            /** @example 1 */
            id: number;
            /**
             * @description Value for the filter `network` of the lists.
             * @example sandbox
             */
            code: string;
            /**
             * @description Name of the network.
             * @example Sandbox Network
             */
            name: string;
            country: components["schemas"]["Country"];
            /**
             * @description Pattern of its phone numbers, in E.164.
             * @example ^\+256\d{9}$
             */
            phone_regex: string;
        };
        NewAllocationPart: {
            /**
             * @description An issued invoice.
             * @example 12
             */
            invoice?: number;
            /**
             * @description A customer, who gets credit.
             * @example 3
             */
            contact?: number;
            /**
             * @description A payment link.
             * @example 5
             */
            payment_link?: number;
            /**
             * @description How much. Default: what the invoice asks for, or all that is left.
             * @example 85000
             */
            amount?: string;
        };
        /**
         * @example {
         *       "parts": [
         *         {
         *           "invoice": 12,
         *           "amount": "85000"
         *         }
         *       ]
         *     }
         */
        NewAllocations: {
            /**
             * @description What the money is for. Several parts split it.
             * @example [
             *       {
             *         "invoice": 12
             *       }
             *     ]
             */
            parts: components["schemas"]["NewAllocationPart"][];
            /**
             * @description An allocation of this collection that is taken back first: its money moves.
             * @example 7
             */
            instead_of?: number;
            /**
             * @description Why, in own words; it is kept.
             * @example Betty called.
             */
            note?: string;
        };
        /**
         * @example {
         *       "phonenumber": "+80000000000",
         *       "amount": "1500",
         *       "currency": "BXC",
         *       "reason": "Order 7",
         *       "send_instructions": true
         *     }
         */
        NewCollectionRequest: {
            /**
             * @description Phone number with the country code.
             * @example +80000000000
             */
            phonenumber: string;
            /**
             * @description Default `Anonymous`.
             * @example Jane
             */
            first_name?: string;
            /**
             * @description Default `Contact`.
             * @example Doe
             */
            last_name?: string;
            /**
             * @description Decimal without thousands separators; a string keeps all digits.
             * @example 1500
             */
            amount: string;
            /**
             * @description One of BXC, UGX, KES.
             * @example BXC
             */
            currency: string;
            /**
             * @description The wallet to collect into; needed for a cross-border one.
             * @example 1
             */
            account?: number;
            /**
             * @description The reason; networks show about 20 characters.
             * @example Order 7
             */
            reason?: string;
            /**
             * @description Custom attributes, as an object or a JSON text of one. `the service` is also accepted as the name.
             * @example {
             *       "order": 7
             *     }
             */
            metadata?: Record<string, unknown> | string;
            /**
             * @description Text of the SMS to the customer on success; `{amount}` and `{customer}` are replaced. Default with `send_instructions`: a standard text; else no SMS.
             * @example Thank you!
             */
            success_message?: string;
            /**
             * @description Whether the customer gets a prompt or instructions on how to pay. Default false.
             * @example true
             */
            send_instructions?: boolean;
            /**
             * @description Text that replaces the usual instructions; `skip` for no SMS.
             * @example skip
             */
            instructions?: string;
            /**
             * @description A time from now such as `24 hours`, `tomorrow`, DD/MM/YYYY[ HH:MM:SS] or ISO 8601.
             * @example 2 minutes
             */
            expiry_date?: string;
            /**
             * @description A time from now such as `24 hours`, `tomorrow`, DD/MM/YYYY[ HH:MM:SS] or ISO 8601.
             * @example tomorrow
             */
            start_date?: string;
            /**
             * @description Minutes between prompts. Default 10.
             * @example 10
             */
            retry_interval_minutes?: number;
            /**
             * @description The maximum number of further prompts. Default 3; 0 for none.
             * @example 3
             */
            max_attempts?: number;
            /**
             * @description A recurrence, as an object or a JSON text of one: `start_date` and `end_date` (DD/MM/YYYY HH:MM:SS, UTC), `weekdays`, `months`, `frequency` (of yearly, monthly, weekly, daily, hourly, minutely), lists with commas.
             * @example {
             *       "start_date": "01/02/2030 08:00:00",
             *       "end_date": "31/12/2030 08:00:00",
             *       "frequency": "monthly"
             *     }
             */
            subscription_settings?: Record<string, unknown> | string;
        };
        /**
         * @example {
         *       "phone_number": "+80000000000",
         *       "first_name": "Jane",
         *       "last_name": "Doe",
         *       "email": "jane@example.com"
         *     }
         */
        NewContact: {
            /**
             * @description With the country code. A customer with a number may have none.
             * @example +80000000000
             */
            phone_number?: string;
            /**
             * @description First name.
             * @example Jane
             */
            first_name: string;
            /**
             * @description Last name.
             * @example Doe
             */
            last_name: string;
            /**
             * @description E-mail address.
             * @example jane@example.com
             */
            email?: string;
            /**
             * @description Custom attributes, as an object or a JSON text of one. `the service` is also accepted as the name.
             * @example {
             *       "order": 7
             *     }
             */
            metadata?: Record<string, unknown> | string;
            /**
             * @description Type of contact.
             * @example employee
             * @enum {string}
             */
            type?: "employee" | "beneficiary" | "vendor" | "other";
            /**
             * @description Whether the contact is in use.
             * @example active
             * @enum {string}
             */
            status?: "active" | "inactive";
            /**
             * @description Number of an identity document.
             * @example CM12345678ABCD
             */
            national_id?: string;
            /**
             * @description Type of the document.
             * @example passport
             * @enum {string}
             */
            national_id_type?: "passport" | "military" | "national";
            /**
             * @description The customer number, which payers type. Unique: case, blanks, dashes and leading zeros make no difference.
             * @example P5-017
             */
            number?: string;
            /**
             * @description Groups of customers, such as a class, a branch or a route: at most 20.
             * @example [
             *       "P5",
             *       "Bus 2"
             *     ]
             */
            tags?: string[] | string;
            /**
             * @description Your own text about the customer.
             * @example
             */
            notes?: string;
            /**
             * @description Who else pays for the customer, such as mother, father or a sponsor: at most 10.
             * @example [
             *       {
             *         "phone_number": "+80000000009",
             *         "name": "Grace Nakato"
             *       }
             *     ]
             */
            payers?: components["schemas"]["NewContactPayer"][];
        };
        NewContactPayer: {
            /**
             * @description With the country code.
             * @example +80000000009
             */
            phone_number: string;
            /**
             * @description Who it is.
             * @example Grace Nakato
             */
            name?: string;
        };
        /**
         * @example {
         *       "phonenumber": "+80000000000",
         *       "currency": "BXC",
         *       "lines": [
         *         {
         *           "text": "Consulting",
         *           "unit_price": "1500"
         *         }
         *       ]
         *     }
         */
        NewInvoice: {
            /**
             * @description One of BXC, UGX, KES.
             * @example BXC
             */
            currency: string;
            /**
             * @description What is sold: at least one line.
             * @example [
             *       {
             *         "text": "Consulting",
             *         "unit_price": "1500"
             *       }
             *     ]
             */
            lines: components["schemas"]["NewInvoiceLine"][];
            /**
             * @description The customer; or a phone number.
             * @example 3
             */
            contact?: number;
            /**
             * @description Phone number with the country code.
             * @example +80000000000
             */
            phonenumber?: string;
            /**
             * @description For a phone number without a contact. Default `Anonymous`.
             * @example Jane
             */
            first_name?: string;
            /**
             * @description For a phone number without a contact. Default `Contact`.
             * @example Doe
             */
            last_name?: string;
            /**
             * @description The wallet to collect into; needed for a cross-border one.
             * @example 1
             */
            account?: number;
            /**
             * @description The last day to pay: YYYY-MM-DD, DD/MM/YYYY, `28 February`, or a time from now such as `14 days`. Default: 14 days.
             * @example 14 days
             */
            due_date?: string;
            /**
             * @description Text below the lines.
             * @example Thank you.
             */
            notes?: string;
            /**
             * @description The language of the customer: of page, PDF, SMS and mails. Default `en`.
             * @example en
             * @enum {string}
             */
            language?: "en" | "sw" | "fr";
            /**
             * @description The least that its page takes as a part. Default, and 0: its page takes the open amount only.
             * @example 500
             */
            min_part?: string;
            /**
             * @description When the customer is reminded by SMS, in days after the due date; negative before. Default: never.
             * @example [
             *       -3,
             *       0,
             *       7
             *     ]
             */
            reminder_days?: number[] | string;
            /**
             * @description Whether a reminder also requests the open amount with a prompt. Default false.
             * @example false
             */
            reminder_prompts?: boolean;
        };
        /**
         * @example {
         *       "tag": "P5",
         *       "text": "Term 1",
         *       "amount": "850000",
         *       "currency": "UGX",
         *       "due_date": "28 February"
         *     }
         */
        NewInvoiceBatch: {
            /**
             * @description The tag of the customers, such as a class.
             * @example P5
             */
            tag: string;
            /**
             * @description One of BXC, UGX, KES.
             * @example BXC
             */
            currency: string;
            /**
             * @description What is sold, if it is one thing.
             * @example Term 1
             */
            text?: string;
            /**
             * @description What it costs.
             * @example 850000
             */
            amount?: string;
            /**
             * @description What is sold; or a text and an amount.
             * @example [
             *       {
             *         "text": "Consulting",
             *         "unit_price": "1500"
             *       }
             *     ]
             */
            lines?: components["schemas"]["NewInvoiceLine"][];
            /**
             * @description The wallet to collect into; needed for a cross-border one.
             * @example 1
             */
            account?: number;
            /**
             * @description The last day to pay: YYYY-MM-DD, DD/MM/YYYY, `28 February`, or a time from now such as `14 days`. Default: 14 days.
             * @example 14 days
             */
            due_date?: string;
            /**
             * @description Text below the lines.
             * @example Thank you.
             */
            notes?: string;
            /**
             * @description The language of the customer: of page, PDF, SMS and mails. Default `en`.
             * @example en
             * @enum {string}
             */
            language?: "en" | "sw" | "fr";
            /**
             * @description The least that its page takes as a part. Default, and 0: its page takes the open amount only.
             * @example 500
             */
            min_part?: string;
            /**
             * @description When the customer is reminded by SMS, in days after the due date; negative before. Default: never.
             * @example [
             *       -3,
             *       0,
             *       7
             *     ]
             */
            reminder_days?: number[] | string;
            /**
             * @description Whether a reminder also requests the open amount with a prompt. Default false.
             * @example false
             */
            reminder_prompts?: boolean;
            /**
             * @description `skip`: none for a customer who has a draft or an open invoice with the same text and amount; `create`: one more. Default `skip`.
             * @example skip
             * @enum {string}
             */
            duplicates?: "skip" | "create";
            /**
             * @description Whether they are issued at once. Default: they stay drafts.
             * @example false
             */
            issue?: boolean;
        };
        NewInvoiceCollection: {
            /**
             * @description At most what is open. Default: all of it.
             * @example 500
             */
            amount?: string;
            /**
             * @description Who is asked. Default: the customer.
             * @example +80000000000
             */
            phonenumber?: string;
        };
        NewInvoiceLine: {
            /**
             * @description What is sold.
             * @example Consulting
             */
            text: string;
            /**
             * @description How much of it, with up to four decimals. Default 1.
             * @example 2
             */
            quantity?: string | number;
            /**
             * @description The price of one, without tax; negative for a discount.
             * @example 750
             */
            unit_price: string;
            /**
             * @description In percent. Default: no tax.
             * @example 18
             */
            tax_rate?: string;
        };
        /**
         * @example {
         *       "channel": "sms"
         *     }
         */
        NewInvoiceSend: {
            /**
             * @description Default: e-mail if `email` is given, otherwise SMS. An SMS goes to the phone of the customer.
             * @example sms
             * @enum {string}
             */
            channel?: "sms" | "email";
            /**
             * @description Where an e-mail goes; default: the address of the contact.
             * @example ada@example.com
             */
            email?: string;
        };
        NewInvoiceVoid: {
            /**
             * @description Why, in own words; it is kept.
             * @example Wrong price
             */
            reason?: string;
        };
        /**
         * @example {
         *       "phonenumber": "+80000000003",
         *       "amount": "100",
         *       "currency": "BXC",
         *       "description": "Wages"
         *     }
         */
        NewPayment: {
            /**
             * @description Phone number of the recipient. Required unless there is `recipient_data`.
             * @example +80000000003
             */
            phonenumber?: string;
            /**
             * @description What the recipient gets. With `recipient_data`: what each recipient without an amount of its own gets.
             * @example 100
             */
            amount?: string;
            /**
             * @description What is sent. Default `money`.
             * @example money
             * @enum {string}
             */
            payment_type?: "money" | "airtime";
            /**
             * @description Three-letter code. Not required if `account` is given.
             * @example BXC
             */
            currency?: string;
            /**
             * @description The wallet that pays. Default: the oldest wallet in the currency.
             * @example 1
             */
            account?: number;
            /**
             * @description Purpose of the payment. Networks show a part of it to the recipient.
             * @example Wages
             */
            description: string;
            /**
             * @description Custom attributes, as an object or a JSON text of one. `the service` is also accepted as the name.
             * @example {
             *       "order": 7
             *     }
             */
            metadata?: Record<string, unknown> | string;
            /**
             * @description The recipients of a payment with many recipients: a list of objects, or the same list as a JSON text. Each object has `phonenumber`. It may have `amount`, `description`, `metadata`, `first_name`, `last_name`, `national_id` and `national_id_type`, where they differ from those of the payment. One invalid row makes the whole request invalid.
             * @example [
             *       {
             *         "phonenumber": "+80000000003",
             *         "amount": "100"
             *       }
             *     ]
             */
            recipient_data?: unknown[] | string;
            /**
             * @description When to send it, if not at once: `tomorrow`, a time span from now, DD/MM/YYYY[ HH:MM:SS] or ISO 8601.
             * @example tomorrow
             */
            start_date?: string;
            /**
             * @description Whether each recipient gets an SMS when the money has arrived: from whom, how much, and the reference. Default false.
             * @example false
             */
            send_sms_message?: boolean;
            /**
             * @description Default `Anonymous`.
             * @example Jane
             */
            first_name?: string;
            /**
             * @description Default `Contact`.
             * @example Doe
             */
            last_name?: string;
            /**
             * @description Number of an identity document of the recipient.
             * @example CM12345
             */
            national_id?: string;
            /**
             * @description Type of the identity document.
             * @example national
             * @enum {string}
             */
            national_id_type?: "national" | "passport" | "military";
        };
        /**
         * @example {
         *       "title": "School fees, term 2",
         *       "amount": "1500",
         *       "currency": "BXC"
         *     }
         */
        NewPaymentLink: {
            /**
             * @description What is paid; networks show about 20 characters.
             * @example School fees, term 2
             */
            title: string;
            /**
             * @description Text below the title.
             * @example For one child.
             */
            description?: string;
            /**
             * @description One of BXC, UGX, KES.
             * @example BXC
             */
            currency: string;
            /**
             * @description The wallet to collect into; needed for a cross-border one.
             * @example 1
             */
            account?: number;
            /**
             * @description Whose numbers need no country code; default: the country of the currency.
             * @example XX
             * @enum {string}
             */
            country?: "XX" | "UG" | "KE" | "NG";
            /**
             * @description The amount, if it is fixed.
             * @example 1500
             */
            amount?: string;
            /**
             * @description The smallest amount, if the customer chooses.
             * @example 1000
             */
            min_amount?: string | number;
            /**
             * @description The largest amount, if the customer chooses.
             * @example 50000
             */
            max_amount?: string | number;
            /**
             * @description The amounts to choose from.
             * @example [
             *       "1000",
             *       "2000"
             *     ]
             */
            amounts?: (string | number)[] | string;
            /**
             * @description Whether it can be paid only once. Default false.
             * @example false
             */
            single_use?: boolean;
            /**
             * @description When the link stops taking payments: a time from now such as `24 hours`, DD/MM/YYYY[ HH:MM:SS] or ISO 8601.
             * @example 24 hours
             */
            expiry_date?: string;
            /**
             * @description What else the customer is asked: `name`, `label`, `type` (text, number, choice), `required`, `choices`.
             * @example [
             *       {
             *         "name": "pupil",
             *         "label": "Name of the pupil",
             *         "type": "text",
             *         "required": true
             *       }
             *     ]
             */
            fields?: {
                name: string;
                label: string;
                /**
                 * @default text
                 * @enum {string}
                 */
                type: "text" | "number" | "choice";
                required?: boolean;
                choices?: string[];
            }[] | string;
            /**
             * @description Text on the receipt and of the SMS; `{amount}` and `{customer}` are replaced.
             * @example Thank you!
             */
            success_message?: string;
            /**
             * @description An https URL of yours; the signed result is added to its query.
             * @example https://shop.example/thanks
             */
            return_url?: string;
            /**
             * @description Origins whose pages may show the page in a frame; none unless given.
             * @example [
             *       "https://shop.example"
             *     ]
             */
            frame_ancestors?: string[] | string;
        };
        /**
         * @example {
         *       "collection": 12
         *     }
         */
        NewReceipt: {
            /**
             * @description The payment.
             * @example 12
             */
            collection?: number;
            /**
             * @description Or the request that it fulfilled.
             * @example 17
             */
            collection_request?: number;
        };
        /**
         * @example {
         *       "channel": "sms"
         *     }
         */
        NewReceiptSend: {
            /**
             * @description Default: e-mail if `email` is given, otherwise SMS. An SMS goes to the phone that paid.
             * @example sms
             * @enum {string}
             */
            channel?: "sms" | "email";
            /**
             * @description Where an e-mail goes; default: the address of the contact.
             * @example ada@example.com
             */
            email?: string;
        };
        /**
         * @example {
         *       "amount": "500",
         *       "reason": "not_delivered",
         *       "comment": "Sold out."
         *     }
         */
        NewRefund: {
            /**
             * @description A part of the money; all that is left unless given.
             * @example 500
             */
            amount?: string;
            /**
             * @description Why the money goes back. `other` needs a comment.
             * @example not_delivered
             * @enum {string}
             */
            reason: "customer_request" | "duplicate" | "wrong_amount" | "not_delivered" | "fraud" | "other";
            /**
             * @description Why, in own words; it is kept.
             * @example Sold out.
             */
            comment?: string;
        };
        NewRequestAction: {
            /**
             * @description Why, in own words; it is kept.
             * @example The customer asked on the phone.
             */
            comment?: string;
        };
        /**
         * @example {
         *       "tag": "P5",
         *       "amount": "850000",
         *       "currency": "UGX",
         *       "reason": "Term 1"
         *     }
         */
        NewRequestBatch: {
            /**
             * @description The tag of the customers, such as a class.
             * @example P5
             */
            tag: string;
            /**
             * @description Amount that each customer is asked for.
             * @example 850000
             */
            amount: string;
            /**
             * @description One of BXC, UGX, KES.
             * @example BXC
             */
            currency: string;
            /**
             * @description Reason for the payment.
             * @example Term 1
             */
            reason?: string;
            /**
             * @description A date such as 31/12/2030, or a time from now. Default: 24 hours.
             * @example 24 hours
             */
            expiry_date?: string;
            /**
             * @description Whether the phones of the customers show a prompt. Default true.
             * @example true
             */
            send_instructions?: boolean;
            /**
             * @description `skip`: none for a customer who has an open or recent request for the same amount and reason; `create`: one more. Default `skip`.
             * @example skip
             * @enum {string}
             */
            duplicates?: "skip" | "create";
        };
        NewSentPaymentLink: {
            /**
             * @description Why, in own words; it is kept.
             * @example The customer asked on the phone.
             */
            comment?: string;
            /**
             * @description When the link stops taking payments: a time from now such as `24 hours`, DD/MM/YYYY[ HH:MM:SS] or ISO 8601.
             * @example 24 hours
             */
            expiry_date?: string;
        };
        NewWebhook: {
            /**
             * @description One of payment.status.changed, collection.received, contact.created, collectionrequest.status.changed.
             * @example payment.status.changed
             */
            event: string;
            /**
             * @description An https URL.
             * @example https://shop.example/notifications
             */
            target: string;
        };
        Payment: {
            /** @example 1 */
            id: number;
            /**
             * @description Your organization.
             * @example 1
             */
            organization: number;
            /**
             * @description What is sent.
             * @example money
             * @enum {string}
             */
            payment_type: "money" | "airtime";
            /**
             * @description The sum of what all recipients get.
             * @example 1500.0000
             */
            amount: string;
            /**
             * @description Three-letter code.
             * @example BXC
             */
            currency: string;
            /**
             * @description The wallet that pays.
             * @example 1
             */
            account: number;
            /**
             * @description Purpose of the payment.
             * @example Wages
             */
            description: string;
            /** @description The recipients. */
            phone_nos: components["schemas"]["PaymentPhone"][];
            /**
             * Format: date-time
             * @description When the payment is sent. Default: when it was made.
             * @example 2030-01-31T12:00:00Z
             */
            start_date: string;
            /**
             * @description Your own attributes, as you sent them.
             * @example {
             *       "run": 7
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * @description State of the payment. New values may be added.
             * @example new
             * @enum {string}
             */
            state: "new" | "validated" | "approval_needed" | "approval_requested" | "approved" | "rejected" | "scheduled" | "processed" | "processed_with_errors" | "cancelled";
            /**
             * @description The last error.
             * @example null
             */
            last_error: string | null;
            /**
             * @description How many users have to approve it, besides the one who initiated it; 0: none.
             * @example 0
             */
            approvals_required: number;
            /**
             * @description How many users have approved it.
             * @example 0
             */
            approvals: number;
            /**
             * @description The user whose approval was the last that it needed.
             * @example null
             */
            approved_by: number | null;
            /**
             * @description When it had all approvals.
             * @example null
             */
            approved_time: string | null;
            /**
             * @description Why it was rejected.
             * @example null
             */
            rejected_reason: string | null;
            /**
             * @description The user who did it.
             * @example null
             */
            rejected_by: number | null;
            /**
             * @description When it happened.
             * @example null
             */
            rejected_time: string | null;
            /**
             * @description Why it was cancelled.
             * @example null
             */
            cancelled_reason: string | null;
            /**
             * @description The user who did it.
             * @example null
             */
            cancelled_by: number | null;
            /**
             * @description When it happened.
             * @example null
             */
            cancelled_time: string | null;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            /**
             * @description The user who initiated it.
             * @example 1
             */
            author: number;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            modified: string;
            /**
             * @description Who changed it last.
             * @example null
             * @example 7
             */
            updated_by: string | null;
            /**
             * @description The id that the network operator gave the transaction, if there is one recipient.
             * @example null
             * @example TX9
             */
            remote_transaction_id: string | null;
            /**
             * @description Whether each recipient gets an SMS when the money has arrived. The network may send one of its own.
             * @example false
             */
            send_sms_message: boolean;
            /**
             * @description The fees that the service has charged for it.
             * @example 0.0000
             */
            charged_fee: string;
            /** @description The transactions of the wallet for this payment, oldest first. */
            transactions: components["schemas"]["Transaction"][];
        };
        PaymentLink: {
            /** @example 1 */
            id: number;
            /**
             * @description Your organization.
             * @example 1
             */
            organization: number;
            /**
             * @description The page for customers.
             * @example https://pay.example.com/pay/3q2-7wAAAAAAAAAAAAAAAAAAAAAA
             */
            url: string;
            /**
             * @description What a person types who pays to the till; null for the link of an invoice or of a request.
             * @example LNK-000007
             */
            number: string | null;
            /**
             * @description Only an active link takes payments.
             * @example active
             * @enum {string}
             */
            state: "active" | "paid" | "closed" | "expired";
            /**
             * @description What is paid; the reason of the requests.
             * @example School fees, term 2
             */
            title: string;
            /**
             * @description Text below the title.
             * @example For one child.
             */
            description: string;
            /**
             * @description Three-letter code.
             * @example BXC
             */
            currency: string;
            /**
             * @description The wallet that receives the money; null for the local one.
             * @example null
             */
            account: number | null;
            /**
             * @description Whose numbers need no country code (ISO 3166-1).
             * @example XX
             */
            country: string;
            /**
             * @description The amount, if it is fixed.
             * @example 1500.0000
             */
            amount: string | null;
            /**
             * @description The smallest amount, if the customer chooses.
             * @example null
             */
            min_amount: string | null;
            /**
             * @description The largest amount, if the customer chooses.
             * @example null
             */
            max_amount: string | null;
            /**
             * @description The amounts to choose from.
             * @example null
             */
            amounts: string[] | null;
            /**
             * @description Whether it can be paid only once.
             * @example false
             */
            single_use: boolean;
            /**
             * @description When it stops taking payments.
             * @example null
             */
            expiry_date: string | null;
            /**
             * @description What else the customer is asked.
             * @example []
             */
            fields: components["schemas"]["PaymentLinkField"][];
            /**
             * @description Text on the receipt and of the SMS.
             * @example Thank you!
             */
            success_message: string;
            /**
             * @description Where the customer goes back to.
             * @example https://shop.example/thanks
             */
            return_url: string | null;
            /**
             * @description Origins whose pages may show the page in a frame.
             * @example []
             */
            frame_ancestors: string[];
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            /**
             * @description The user who made the link, and the author of its requests.
             * @example 1
             */
            author: number;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            modified: string;
            /**
             * @description The user who changed it last.
             * @example null
             * @example 7
             */
            updated_by: string | null;
        };
        /**
         * @example {
         *       "state": "closed"
         *     }
         */
        PaymentLinkChanges: {
            /**
             * @description What is paid; networks show about 20 characters.
             * @example School fees, term 2
             */
            title?: string;
            /**
             * @description Text below the title; empty for none.
             * @example
             */
            description?: string;
            /**
             * @description Text on the receipt; empty for the usual one.
             * @example
             */
            success_message?: string;
            /**
             * @description Closes the link, or opens it again.
             * @example closed
             * @enum {string}
             */
            state?: "active" | "closed";
            /**
             * @description When it stops taking payments; null for never.
             * @example null
             */
            expiry_date?: string | null;
            /**
             * @description An https URL of yours; null for none.
             * @example null
             */
            return_url?: string | null;
            /**
             * @description Origins whose pages may show the page in a frame; none unless given.
             * @example [
             *       "https://shop.example"
             *     ]
             */
            frame_ancestors?: string[] | string;
        };
        PaymentLinkField: {
            /**
             * @description The key in the metadata of the request.
             * @example pupil
             */
            name: string;
            /**
             * @description What the customer reads.
             * @example Name of the pupil
             */
            label: string;
            /**
             * @description Text, a number, or one of `choices`.
             * @example text
             * @enum {string}
             */
            type: "text" | "number" | "choice";
            /**
             * @description Whether the customer must answer.
             * @example true
             */
            required: boolean;
            /**
             * @description What can be chosen; empty for the other types.
             * @example []
             */
            choices: string[];
        };
        PaymentPhone: {
            /**
             * @description Phone number of the recipient, in E.164.
             * @example +80000000003
             */
            phonenumber: string;
            /**
             * @description What this recipient gets.
             * @example 1500.0000
             */
            amount: string;
            /**
             * @description How much of it the network has taken back and returned to the wallet. If it is all of the amount, the state is `error`.
             * @example 0.0000
             * @example 300.0000
             */
            reversed_amount: string;
            /**
             * @description State of this recipient. New values may be added.
             * @example new
             * @enum {string}
             */
            state: "new" | "queued" | "processing" | "pending_confirmation" | "complete" | "error" | "paused" | "parked" | "aborted";
            /**
             * @description The last error.
             * @example null
             * @example Phone number is not registered
             */
            last_error: string | null;
            /**
             * @description The contact with this number.
             * @example 1
             */
            contact: number;
            /**
             * @description Id of the payment, if it has several recipients.
             * @example null
             */
            batch_id: number | null;
            /**
             * @description Purpose of the payment.
             * @example Wages
             */
            description: string;
            /**
             * @description Id of the payment.
             * @example 1
             */
            payment_id: number;
            /**
             * @description The id that the network operator gave the transaction.
             * @example null
             * @example TX9
             */
            remote_transaction_id: string | null;
            /**
             * @description Your own attributes of this recipient.
             * @example {}
             */
            metadata: {
                [key: string]: unknown;
            };
        };
        PendingMatch: {
            /**
             * @description The change, as managers find it in the console.
             * @example 7
             */
            id: number;
            /**
             * @description The change in words.
             * @example Match collection 12 (UGX 2,000,000 …
             */
            description: string;
            /**
             * @description The user who asks for it.
             * @example 3
             */
            author: number | null;
            /**
             * @description The name of this user.
             * @example Grace
             */
            author_name: string | null;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            /**
             * Format: date-time
             * @description When it is void unless a manager confirms it.
             * @example 2030-01-18T08:00:00Z
             */
            expires: string;
        };
        PhoneMoney: {
            /**
             * @description The payment.
             * @example 12
             */
            collection: number;
            /**
             * @description The phone number that paid.
             * @example +80000000000
             */
            phonenumber: string;
            /**
             * @description What the payer typed.
             * @example INV 12
             */
            reference: string | null;
            /**
             * @description Three-letter code.
             * @example BXC
             */
            currency: string;
            /**
             * @description How much of it is for nothing yet.
             * @example 85000.0000
             */
            amount: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            paid: string;
        };
        PinBundle: {
            /** @example 1500 */
            amount: string;
            /**
             * @description Maximum number that can be bought.
             * @example 100
             */
            available: number;
            /**
             * @description Display name.
             * @example ₦50 Airtime
             */
            description: string;
        };
        Plan: {
            /** @example 1 */
            id: number;
            /**
             * @description Your organization.
             * @example 1
             */
            organization: number;
            /**
             * @description `active`, `paused`, `ended` when no date is left, or `stopped` when a user ended it.
             * @example active
             * @enum {string}
             */
            state: "active" | "paused" | "ended" | "stopped";
            /**
             * @description The first request, which the later ones copy.
             * @example 1
             */
            collection_request: number;
            /**
             * @description The contact of the customer.
             * @example 1
             */
            contact: number;
            /**
             * @description The phone number of the customer, in E.164.
             * @example +80000000000
             */
            phonenumber: string;
            /**
             * @description First and last name of the contact.
             * @example Jane Doe
             */
            customer_name: string;
            /**
             * @description The amount of each request.
             * @example 1500.0000
             */
            amount: string;
            /**
             * @description Three-letter code.
             * @example BXC
             */
            currency: string;
            /**
             * @description The reason; empty when none was given.
             * @example Rent
             */
            reason: string;
            /**
             * @description How often it recurs.
             * @example [
             *       "monthly"
             *     ]
             */
            frequencies: ("yearly" | "monthly" | "weekly" | "daily" | "hourly" | "minutely")[];
            /**
             * @description The weekdays, 0 is Monday; empty: no choice of weekdays.
             * @example [
             *       0,
             *       3
             *     ]
             */
            weekdays: number[];
            /**
             * @description The months, 1 is January; empty: every month.
             * @example []
             */
            months: number[];
            /**
             * Format: date-time
             * @description When it starts.
             * @example 2030-01-31T12:00:00Z
             */
            start_date: string;
            /**
             * Format: date-time
             * @description No date is later than this.
             * @example 2030-01-31T12:00:00Z
             */
            end_date: string;
            /**
             * @description Since when it is paused; null when it is not.
             * @example null
             */
            paused: string | null;
            /**
             * @description When it was stopped; null when it was not.
             * @example null
             */
            stopped: string | null;
            /** @description The next date; null when there is none. */
            next_date: string | null;
            /** @description At most 5 of the next dates. */
            next_dates: string[];
            /**
             * @description How many requests there are, including the first.
             * @example 3
             */
            occurrence_count: number;
            /**
             * @description How many of its requests were paid.
             * @example 2
             */
            collected_count: number;
            /**
             * @description What they collected; reversed payments are not counted.
             * @example 1500.0000
             */
            collected_amount: string;
            /**
             * @description How many of its requests failed or expired.
             * @example 0
             */
            failed_count: number;
            /**
             * @description How many of its requests are open.
             * @example 1
             */
            open_count: number;
            /**
             * @description How many of its requests were paid and then reversed.
             * @example 0
             */
            reversed_count: number;
        };
        Receipt: {
            /** @example 1 */
            id: number;
            /**
             * @description Your organization.
             * @example 1
             */
            organization: number;
            /**
             * @description Without gaps for each organization.
             * @example R-000012
             */
            number: string;
            /**
             * @description The page for the customer.
             * @example https://pay.example.com/pay/receipts/3q2-7wAAAAAAAAAA
             */
            url: string;
            /**
             * @description The same as PDF.
             * @example https://pay.example.com/pay/receipts/3q2-7wAAAAAAAAAA.pdf
             */
            pdf_url: string;
            /**
             * @description `paid`, `partly_returned` or `returned`: a part of the money, or all of it, was taken back by the network or refunded.
             * @example paid
             * @enum {string}
             */
            state: "paid" | "partly_returned" | "returned";
            /**
             * @description Your name when the receipt was made.
             * @example Demo Shop
             */
            issuer: string;
            /**
             * @description The payment.
             * @example 12
             */
            collection: number;
            /**
             * @description The request that the payment fulfilled, or null.
             * @example 17
             */
            collection_request: number | null;
            /**
             * @description What was paid.
             * @example 1500.0000
             */
            amount: string;
            /**
             * @description How much of it the network has taken back.
             * @example 0.0000
             */
            reversed_amount: string;
            /**
             * @description How much of it was refunded or is being refunded.
             * @example 0.0000
             */
            refunded_amount: string;
            /**
             * @description Three-letter code.
             * @example BXC
             */
            currency: string;
            /**
             * @description The phone number that paid.
             * @example +80000000000
             */
            phonenumber: string;
            /**
             * @description What was paid.
             * @example School fees
             */
            reason: string;
            /**
             * @description The number of the invoice that was paid, or null.
             * @example null
             * @example INV-000012
             */
            invoice: string | null;
            /**
             * @description The network operator's own id of the payment.
             * @example TX1
             */
            remote_transaction_id: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            payment_date: string;
            /**
             * @description To whom it was sent, newest first.
             * @example []
             */
            sends: {
                /**
                 * @description How it was sent.
                 * @example sms
                 * @enum {string}
                 */
                channel: "sms" | "email";
                /**
                 * @description The phone number or e-mail address.
                 * @example +80000000000
                 */
                recipient: string;
                /**
                 * @description `delivered`: the phone has it. For e-mail, `sent`: the mail server has taken it.
                 * @example delivered
                 * @enum {string}
                 */
                state: "waiting" | "sent" | "delivered" | "failed" | "unknown";
                /**
                 * Format: date-time
                 * @example 2030-01-31T12:00:00Z
                 */
                created: string;
            }[];
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            modified: string;
        };
        RequestAction: {
            /** @example 1 */
            id: number;
            /**
             * @description `reminder`: the customer was asked again. `retry`: a new request asks for the same money. `payment_link`: a link was sent. `refund`: the money was sent back. New values may be added.
             * @example reminder
             * @enum {string}
             */
            kind: "reminder" | "retry" | "payment_link" | "refund";
            /**
             * @description The request that it was done about; null for an unsolicited payment.
             * @example 17
             */
            collection_request: number | null;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            /**
             * @description The user who did it.
             * @example 1
             */
            author: number;
            /**
             * @description The name of that user.
             * @example Jane Doe
             */
            author_name: string;
            /**
             * @description Why the money was refunded.
             * @example null
             * @example duplicate
             */
            reason: ("customer_request" | "duplicate" | "wrong_amount" | "not_delivered" | "fraud" | "other") | null;
            /**
             * @description Why, in the words of the user.
             * @example The customer asked on the phone.
             */
            comment: string;
            /**
             * @description The SMS that was sent.
             * @example 31
             */
            sms: number | null;
            /**
             * @description Whether the next prompt was brought forward.
             * @example false
             */
            prompt: boolean;
            /**
             * @description The request that asks for the same money again.
             * @example null
             */
            new_request: number | null;
            /**
             * @description The payment link that was sent.
             * @example null
             */
            payment_link: number | null;
            /**
             * @description The payment that refunds the money.
             * @example null
             */
            payment: number | null;
        };
        RequestBatch: {
            /** @example 1 */
            id: number;
            /**
             * @description `file`: from a file. `tag`: for all customers with a tag.
             * @example tag
             * @enum {string}
             */
            source: "file" | "tag";
            /**
             * @description The name of the file, or the tag.
             * @example P5
             */
            name: string;
            /**
             * @description What happened where the customer had an open or recent request for the same amount and reason.
             * @example skip
             * @enum {string}
             */
            duplicates: "skip" | "create";
            /**
             * @description Rows of the file, or customers with the tag.
             * @example 120
             */
            rows: number;
            /**
             * @description Rows of the file that were refused.
             * @example 0
             */
            refused: number;
            /**
             * @description Requests that were not made, because the customer has the same already.
             * @example 3
             */
            skipped: number;
            /**
             * @description Requests that were made.
             * @example 117
             */
            made: number;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            /**
             * @description The user who made it.
             * @example 1
             */
            author: number;
            /**
             * @description The name of this user.
             * @example Jane Doe
             */
            author_name: string;
            /** @description When its last request was made. Null while it is running, and if it was interrupted: the same call goes on. */
            finished: string | null;
        };
        RequestBatchPreview: {
            /** @description Each row of the file, or each customer with the tag. */
            rows: components["schemas"]["RequestBatchRow"][];
            /** @description Sums of all requests that can be made. */
            all: components["schemas"]["RequestBatchSum"][];
            /** @description Sums without those that are there twice, or were asked for already. */
            without_duplicates: components["schemas"]["RequestBatchSum"][];
        };
        RequestBatchProblem: {
            /**
             * @description The column with the problem.
             * @example amount
             * @enum {string}
             */
            column: "customer_number" | "phone_number" | "amount" | "currency" | "reason" | "first_name" | "last_name" | "expiry" | "send_instructions" | "name";
            /**
             * @description The reason.
             * @example This customer has no phone number.
             */
            message: string;
        };
        RequestBatchRow: {
            /**
             * @description Its number in the file, where the first line is 1; or the id of the customer.
             * @example 2
             */
            number: number;
            /**
             * @description The number of the customer; empty if the row has none.
             * @example P5-017
             */
            customer_number: string;
            /**
             * @description The phone that is asked, in E.164, or the text of the file if that is no phone number.
             * @example +256772123456
             */
            phone_number: string;
            /**
             * @description The name of the customer.
             * @example Jane Doe
             */
            name: string;
            /**
             * @description What the money is for.
             * @example Term 1
             */
            reason: string;
            /**
             * @description Null if the row has no amount that can be read.
             * @example 850000.0000
             */
            amount: string | null;
            /**
             * @description ISO 4217.
             * @example UGX
             */
            currency: string;
            /**
             * @description The network that is asked; null for a refused row.
             * @example MTN Uganda
             */
            network: string | null;
            /**
             * @description ISO 8601; null for the default of 24 hours.
             * @example null
             */
            expiry_date: string | null;
            /**
             * @description `refused`: no request can be made; see `problems`.
             * @example ready
             * @enum {string}
             */
            state: "ready" | "refused";
            /**
             * @description Why the row is refused, with the column.
             * @example []
             */
            problems: components["schemas"]["RequestBatchProblem"][];
            /**
             * @description `twice`: another row has the same phone, amount and reason. `asked_already`: an open or recent request has them.
             * @example []
             */
            warnings: ({
                /** @constant */
                code: "twice";
                row: number;
            } | {
                /** @constant */
                code: "asked_already";
                /** @example 1 */
                request: number;
            })[];
        };
        RequestBatchSum: {
            /**
             * @description Three-letter code.
             * @example UGX
             */
            currency: string;
            /**
             * @description The network that asks the customers.
             * @example MTN Uganda
             */
            network: string;
            /**
             * @description How many.
             * @example 117
             */
            requests: number;
            /**
             * @description Their amounts together.
             * @example 99450000.0000
             */
            total: string;
        };
        RequestUnmatchedMoney: {
            unmatched: components["schemas"]["NearMoney"][];
        };
        Sms: {
            /** @example 1 */
            id: number;
            /**
             * @description The collection request that caused it, or null.
             * @example 17
             */
            collection_request: number | null;
            /**
             * @description The bill purchase that caused it, or null.
             * @example null
             */
            bill_purchase: number | null;
            /**
             * @description The payment whose recipient it tells about the money, or null.
             * @example null
             */
            payment: number | null;
            /**
             * @description `instructions`: how to pay. `reminder`: the same again. `payment_link`: the address of a page to pay on. `success`: the money has arrived. `goods`: what was bought. `message`: a person wrote it. `reply`: the answer to a word such as STOP.
             * @example instructions
             * @enum {string}
             */
            purpose: "instructions" | "reminder" | "payment_link" | "success" | "goods" | "message" | "reply";
            /**
             * @description E.164.
             * @example +256772000001
             */
            phonenumber: string;
            /**
             * @description The whole text, as it is sent.
             * @example Your payment of UGX 1,500 has arrived.
             */
            body: string;
            /**
             * @description `waiting`, then `sent` (a provider has it), then `delivered` or `failed`. `unknown`: no provider said whether it has it.
             * @example delivered
             * @enum {string}
             */
            state: "waiting" | "sent" | "delivered" | "failed" | "unknown";
            /**
             * @description Why it did not arrive, in one word, such as `unreachable`.
             * @example null
             */
            reason: string | null;
            /**
             * @description What went wrong last, for people.
             * @example null
             */
            last_error: string | null;
            /**
             * @description What the phone shows; null for the provider’s own.
             * @example DemoShop
             */
            sender_id: string | null;
            /**
             * @description How many SMS it takes; null before it is sent.
             * @example 1
             */
            parts: number | null;
            /**
             * @description The alphabet: GSM has room for twice as much.
             * @example gsm
             */
            encoding: ("gsm" | "ucs-2") | null;
            /**
             * @description What it cost, as far as the provider said so.
             * @example 35.0000
             */
            cost: string | null;
            /**
             * @description The currency of the cost.
             * @example UGX
             */
            currency: string | null;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            sent_at: string | null;
            delivered_at: string | null;
        };
        StatementEntry: {
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            at: string;
            /**
             * @description `invoice` and `void`: an invoice was issued or voided. `payment`: money that arrived for an invoice or as credit. `moved`: money that is for something else now, such as credit that was used. `reversal`: taken back by the network. `refund`: given back. `adjustment`: refunded money is not asked for again.
             * @example payment
             * @enum {string}
             */
            kind: "invoice" | "void" | "payment" | "moved" | "reversal" | "refund" | "adjustment";
            /**
             * @description The invoice; null for credit.
             * @example 12
             */
            invoice: number | null;
            /**
             * @description Its number.
             * @example INV-000012
             */
            invoice_number: string | null;
            /**
             * @description Its last day to pay.
             * @example 2030-02-14
             */
            due_date: string | null;
            /**
             * @description The payment of the customer.
             * @example 41
             */
            collection: number | null;
            /**
             * @description The network's own id of the payment.
             * @example TX1
             */
            remote_transaction_id: string | null;
            /**
             * @description The phone number that paid.
             * @example +80000000000
             */
            phonenumber: string | null;
            /**
             * @description When it was paid.
             * @example null
             */
            payment_date: string | null;
            /**
             * @description The number of its receipt, if it has one.
             * @example R-000012
             */
            receipt: string | null;
            /**
             * @description The payment that gave money back.
             * @example null
             */
            refund: number | null;
            /**
             * @description What the customer owes more.
             * @example 0.0000
             */
            charged_amount: string;
            /**
             * @description What the customer owes less.
             * @example 85000.0000
             */
            credited_amount: string;
            /**
             * @description What the customer owes after it; negative for credit.
             * @example 115000.0000
             */
            balance: string;
        };
        Transaction: {
            /** @example 1 */
            id: number;
            /**
             * @description The wallet.
             * @example 1
             */
            account: number;
            /**
             * @description Negative if money left the wallet.
             * @example 1500.0000
             * @example -20.0000
             */
            amount: string;
            /**
             * @description Three-letter code.
             * @example BXC
             */
            currency: string;
            /**
             * @description The reason for the transaction.
             * @example Collection 12
             */
            description: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            /**
             * @description Why the balance changed.
             * @example mobile_collection
             * @enum {string}
             */
            type: "mobile_collection" | "mobile_payment" | "airtime_topup" | "bill_payment" | "service_charge" | "admin_funds_update";
        };
        UnmatchedMoney: {
            /**
             * @description The day of the report, in the time zone of the organization.
             * @example 2030-03-05
             */
            day: string;
            /**
             * @description The time zone of the organization.
             * @example Africa/Kampala
             */
            zone: string;
            /**
             * @description The number of rows on all pages together.
             * @example 1
             */
            count: number;
            /**
             * @description A row for each payment, the oldest first.
             * @example []
             */
            rows: components["schemas"]["UnmatchedRow"][];
            /**
             * @description The sums of all rows, one for each currency.
             * @example []
             */
            totals: components["schemas"]["UnmatchedSum"][];
        };
        UnmatchedRow: {
            /**
             * @description The payment.
             * @example 41
             */
            collection: number;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            payment_date: string;
            /**
             * @description How many days ago it was paid; 0: today.
             * @example 3
             */
            days: number;
            /**
             * @description The phone number that paid.
             * @example +80000000000
             */
            phonenumber: string;
            /**
             * @description The contact with this number.
             * @example 3
             */
            contact: number;
            /**
             * @description The name of the payer; empty if it is not known.
             * @example Betty Namutebi
             */
            payer_name: string;
            /**
             * @description The reference that the customer typed.
             * @example null
             * @example INV-2
             */
            reference: string | null;
            /**
             * @description The code of the network.
             * @example sandbox
             */
            network: string;
            /**
             * @description The network's own id of the payment.
             * @example TX1
             */
            remote_transaction_id: string;
            /**
             * @description `failed`: you rejected it, and it waits to be returned.
             * @example successful
             * @enum {string}
             */
            status: "successful" | "failed";
            /**
             * @description The wallet.
             * @example 5
             */
            account: number;
            /**
             * @description Three-letter code.
             * @example UGX
             */
            currency: string;
            /**
             * @description What was received.
             * @example 120000.0000
             */
            amount: string;
            /**
             * @description What of it is for nothing yet.
             * @example 35000.0000
             */
            left_amount: string;
        };
        UnmatchedSum: {
            /**
             * @description Three-letter code.
             * @example UGX
             */
            currency: string;
            /**
             * @description How many payments.
             * @example 1
             */
            payments: number;
            /**
             * @description Of payments of the last 7 days, and of today.
             * @example 35000.0000
             */
            days_0_7_amount: string;
            /**
             * @description Of payments that are 8 to 30 days old.
             * @example 0.0000
             */
            days_8_30_amount: string;
            /**
             * @description Of payments that are 31 to 90 days old.
             * @example 0.0000
             */
            days_31_90_amount: string;
            /**
             * @description Of payments that are more than 90 days old.
             * @example 0.0000
             */
            days_over_90_amount: string;
            /**
             * @description All that is for nothing yet.
             * @example 35000.0000
             */
            left_amount: string;
        };
        WalletTransaction: {
            /** @example 1 */
            id: number;
            /**
             * @description The wallet.
             * @example 1
             */
            account: number;
            /**
             * @description Negative if money left the wallet.
             * @example 1500.0000
             * @example -20.0000
             */
            amount: string;
            /**
             * @description Three-letter code.
             * @example BXC
             */
            currency: string;
            /**
             * @description The reason for the transaction.
             * @example Collection 12
             */
            description: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            /**
             * @description Why the balance changed.
             * @example mobile_collection
             * @enum {string}
             */
            type: "mobile_collection" | "mobile_payment" | "airtime_topup" | "bill_payment" | "service_charge" | "admin_funds_update";
            cause: {
                /** @enum {string} */
                object: "collection" | "payment" | "purchase" | "none";
                id: number | null;
                is_fee: boolean;
                purpose: ("payment" | "refund" | "return") | null;
                collection_request: number | null;
                invoice: number | null;
                refunded_collection: number | null;
                name: string;
                phonenumber: string;
                network: string;
                connection: string;
                remote_id: string;
                entered_by: string | null;
                network_fee: string | null;
            };
        };
        Webhook: {
            /** @example 1 */
            id: number;
            /** @example 1 */
            user: number;
            /** @example collection.received */
            event: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            created: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00Z
             */
            updated: string;
            /** @example https://shop.example/notifications */
            target: string;
        };
    };
    responses: {
        /** @description The request is invalid. The response names all invalid fields. It has `detail` when the body cannot be parsed. */
        Invalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FieldErrors"] | components["schemas"]["Detail"];
            };
        };
        /** @description The API key is missing, wrong, revoked or expired. */
        Unauthenticated: {
            headers: {
                "WWW-Authenticate"?: "Token";
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Invalid token."
                 *     }
                 */
                "application/json": components["schemas"]["Detail"];
            };
        };
        /** @description The key lacks the permission, or the object belongs to another organization. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "You do not have permission to perform this action."
                 *     }
                 */
                "application/json": components["schemas"]["Detail"];
            };
        };
        /** @description The object does not exist. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Not found."
                 *     }
                 */
                "application/json": components["schemas"]["Detail"];
            };
        };
        /** @description A request with this Duplicate-Check-Key was accepted in the last 24 hours. */
        Duplicate: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Duplicate Request Detected! A request with this key was accepted in the last 24 hours.",
                 *       "type": "collectionrequest",
                 *       "id": 123
                 *     }
                 */
                "application/json": components["schemas"]["DuplicateRefusal"];
            };
        };
        /** @description The request was refused or failed. `code` gives the reason (docs/bills.md lists the codes). */
        BillRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "message": "Invalid request parameters.",
                 *       "code": "BX0003",
                 *       "errors": {
                 *         "service_type": {
                 *           "message": "This field is required."
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["BillError"];
            };
        };
        /** @description The body is neither JSON nor a form. */
        UnsupportedMedia: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Unsupported media type \"text/plain\" in request."
                 *     }
                 */
                "application/json": components["schemas"]["Detail"];
            };
        };
        /** @description Too many requests. */
        Throttled: {
            headers: {
                /** @description Seconds to wait before the next try. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Request was throttled. Expected available in 7 seconds. This API key may send 30 read requests a minute. The operator raises this with READS_PER_MINUTE, or for a new key with --reads-per-minute."
                 *     }
                 */
                "application/json": components["schemas"]["Detail"];
            };
        };
        /** @description The service is in maintenance or temporarily cannot answer. */
        Unavailable: {
            headers: {
                /** @description Seconds to wait before the next try. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The service is temporarily unavailable."
                 *     }
                 */
                "application/json": components["schemas"]["Detail"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAccounts: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: number;
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: "id" | "-id" | "created" | "-created" | "modified" | "-modified" | "amount" | "-amount";
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: string;
                /**
                 * @description Status; an unknown status finds nothing.
                 * @example active
                 */
                status?: string;
                /**
                 * @description Created after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_after?: string;
                /**
                 * @description Created before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Number of items on all pages together.
                         * @example 42
                         */
                        count: number;
                        /**
                         * @description URL of the next page, or null.
                         * @example null
                         */
                        next: string | null;
                        /**
                         * @description URL of the previous page, or null.
                         * @example null
                         */
                        previous: string | null;
                        results: components["schemas"]["Account"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCollectionRequests: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: number;
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: "id" | "-id" | "created" | "-created" | "modified" | "-modified" | "amount" | "-amount";
                /**
                 * @description Exact amount; `100` finds `100.0000`.
                 * @example 1500
                 */
                amount?: string;
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: string;
                /**
                 * @description Id of the collection that fulfilled the request.
                 * @example 12
                 */
                collection?: number;
                /**
                 * @description International format; a missing `+` is added. A literal plus is sent as `%2B`.
                 * @example +80000000000
                 */
                phonenumber?: string;
                /**
                 * @description The network operator's id of the collection that fulfilled the request, or the id or reference of an order for it.
                 * @example TX1
                 */
                remote_transaction_id?: string;
                /**
                 * @description Created after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_after?: string;
                /**
                 * @description Created before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_before?: string;
                /**
                 * @description Modified after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_after?: string;
                /**
                 * @description Modified before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_before?: string;
                /**
                 * @description Status; one that does not exist finds nothing.
                 * @example successful
                 */
                status?: string;
                /**
                 * @description The whole text of the reason.
                 * @example Order 7
                 */
                reason?: string;
                /**
                 * @description First name of the contact.
                 * @example Jane
                 */
                contact_first_name?: string;
                /**
                 * @description Last name of the contact.
                 * @example Doe
                 */
                contact_last_name?: string;
                /**
                 * @description Code of the network that serves the phone number.
                 * @example sandbox
                 */
                network?: string;
                /**
                 * @description Id of the payment link on whose page the request was made.
                 * @example 12
                 */
                payment_link?: number;
                /**
                 * @description Id of the plan whose first or later request it is.
                 * @example 12
                 */
                plan?: number;
                /**
                 * @description `csv` returns all matching items in one response, oldest first. `Accept: text/csv` does the same. `limit`, `offset` and `ordering` are then ignored.
                 * @example json
                 */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Number of items on all pages together.
                         * @example 42
                         */
                        count: number;
                        /**
                         * @description URL of the next page, or null.
                         * @example null
                         */
                        next: string | null;
                        /**
                         * @description URL of the previous page, or null.
                         * @example null
                         */
                        previous: string | null;
                        results: components["schemas"]["CollectionRequest"][];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCollectionRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCollectionRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["NewCollectionRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionRequest"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Duplicate"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRequestBatches: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: number;
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: "id" | "-id" | "created" | "-created" | "modified" | "-modified" | "amount" | "-amount";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Number of items on all pages together.
                         * @example 42
                         */
                        count: number;
                        /**
                         * @description URL of the next page, or null.
                         * @example null
                         */
                        next: string | null;
                        /**
                         * @description URL of the previous page, or null.
                         * @example null
                         */
                        previous: string | null;
                        results: components["schemas"]["RequestBatch"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRequestBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours the same request with the same text continues the batch, and another request is refused. */
                "duplicate-check-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRequestBatch"];
                "application/x-www-form-urlencoded": components["schemas"]["NewRequestBatch"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestBatch"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Duplicate"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewRequestBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRequestBatch"];
                "application/x-www-form-urlencoded": components["schemas"]["NewRequestBatch"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestBatchPreview"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRequestBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestBatch"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCollectionRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionRequest"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRequestActions: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: number;
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: "id" | "-id" | "created" | "-created" | "modified" | "-modified" | "amount" | "-amount";
            };
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Number of items on all pages together.
                         * @example 42
                         */
                        count: number;
                        /**
                         * @description URL of the next page, or null.
                         * @example null
                         */
                        next: string | null;
                        /**
                         * @description URL of the previous page, or null.
                         * @example null
                         */
                        previous: string | null;
                        results: components["schemas"]["RequestAction"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendPaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
            };
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSentPaymentLink"];
                "application/x-www-form-urlencoded": components["schemas"]["NewSentPaymentLink"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Duplicate"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    refundCollectionRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
            };
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRefund"];
                "application/x-www-form-urlencoded": components["schemas"]["NewRefund"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Duplicate"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    remindCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
            };
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRequestAction"];
                "application/x-www-form-urlencoded": components["schemas"]["NewRequestAction"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestAction"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Duplicate"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryCollectionRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
            };
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRequestAction"];
                "application/x-www-form-urlencoded": components["schemas"]["NewRequestAction"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionRequest"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Duplicate"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUnmatchedMoney: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestUnmatchedMoney"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCollections: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: number;
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: "id" | "-id" | "created" | "-created" | "modified" | "-modified" | "amount" | "-amount";
                /**
                 * @description Exact amount; `100` finds `100.0000`.
                 * @example 1500
                 */
                amount?: string;
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: string;
                /**
                 * @description International format; a missing `+` is added. A literal plus is sent as `%2B`.
                 * @example +80000000000
                 */
                phonenumber?: string;
                /**
                 * @description The reference that the customer typed.
                 * @example 123
                 */
                reference?: string;
                /**
                 * @description The network operator's own id of the payment.
                 * @example TX1
                 */
                remote_transaction_id?: string;
                /**
                 * @description Id of the request that the collection fulfilled.
                 * @example 12
                 */
                collection_request?: number;
                /**
                 * @description Created after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_after?: string;
                /**
                 * @description Created before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_before?: string;
                /**
                 * @description Modified after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_after?: string;
                /**
                 * @description Modified before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_before?: string;
                /**
                 * @description Status; one that does not exist finds nothing.
                 * @example successful
                 */
                status?: string;
                /**
                 * @description Code of the network that the money came through.
                 * @example sandbox
                 */
                network?: string;
                /**
                 * @description First name of the contact.
                 * @example Jane
                 */
                contact_first_name?: string;
                /**
                 * @description Last name of the contact.
                 * @example Doe
                 */
                contact_last_name?: string;
                /**
                 * @description Claims the single unmatched collection with the given amount, remote_transaction_id and phonenumber. The key needs the permission to initiate collections and must not be read-only.
                 * @example false
                 */
                claim?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Number of items on all pages together.
                         * @example 42
                         */
                        count: number;
                        /**
                         * @description URL of the next page, or null.
                         * @example null
                         */
                        next: string | null;
                        /**
                         * @description URL of the previous page, or null.
                         * @example null
                         */
                        previous: string | null;
                        results: components["schemas"]["Collection"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collection"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllocations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionAllocations"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    allocateCollection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
            };
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAllocations"];
                "application/x-www-form-urlencoded": components["schemas"]["NewAllocations"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionAllocations"];
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionAllocations"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Duplicate"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    endAllocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
                /** @example 1 */
                allocation: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionAllocations"];
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionAllocations"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    suggestMatches: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionSuggestions"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    listContacts: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: number;
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: "id" | "-id" | "created" | "-created" | "modified" | "-modified" | "amount" | "-amount";
                /**
                 * @description First name.
                 * @example Jane
                 */
                first_name?: string;
                /**
                 * @description Last name.
                 * @example Doe
                 */
                last_name?: string;
                /**
                 * @description E-mail address.
                 * @example jane@example.com
                 */
                email?: string;
                /**
                 * @description International format; a missing `+` is added. A literal plus is sent as `%2B`.
                 * @example +80000000000
                 */
                phone_number?: string;
                /**
                 * @description Customer number; case, blanks, dashes and leading zeros make no difference.
                 * @example P5-017
                 */
                number?: string;
                /**
                 * @description Tag, in upper or lower case.
                 * @example P5
                 */
                tag?: string;
                /**
                 * @description Phone of somebody else who pays for the contact.
                 * @example +80000000009
                 */
                payer?: string;
                /**
                 * @description Created after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_after?: string;
                /**
                 * @description Created before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Number of items on all pages together.
                         * @example 42
                         */
                        count: number;
                        /**
                         * @description URL of the next page, or null.
                         * @example null
                         */
                        next: string | null;
                        /**
                         * @description URL of the previous page, or null.
                         * @example null
                         */
                        previous: string | null;
                        results: components["schemas"]["ContactDetails"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    createContact: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewContact"];
                "application/x-www-form-urlencoded": components["schemas"]["NewContact"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactDetails"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Duplicate"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactDetails"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactChanges"];
                "application/x-www-form-urlencoded": components["schemas"]["ContactChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactDetails"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getContactMoney: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactMoney"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getContactStatement: {
        parameters: {
            query?: {
                /**
                 * @description The first day; the first of the month unless given.
                 * @example 2030-01-01
                 */
                from?: string;
                /**
                 * @description The last day; today unless given.
                 * @example 2030-01-31
                 */
                to?: string;
                /**
                 * @description Currency code; that of the newest invoice unless given.
                 * @example UGX
                 */
                currency?: string;
                /**
                 * @description The language of the PDF; that of the newest invoice unless given.
                 * @example en
                 */
                language?: "en" | "sw" | "fr";
                /**
                 * @description `csv`, `xlsx` or `pdf` returns a file with all rows. An `Accept` header with its media type does the same.
                 * @example json
                 */
                format?: "json" | "csv" | "xlsx" | "pdf";
            };
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerStatement"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "application/pdf": unknown;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCurrencies: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: number;
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: "id" | "-id" | "created" | "-created" | "modified" | "-modified" | "amount" | "-amount";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Number of items on all pages together.
                         * @example 42
                         */
                        count: number;
                        /**
                         * @description URL of the next page, or null.
                         * @example null
                         */
                        next: string | null;
                        /**
                         * @description URL of the previous page, or null.
                         * @example null
                         */
                        previous: string | null;
                        results: components["schemas"]["Currency"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCurrency: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Currency"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: number;
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: "id" | "-id" | "created" | "-created" | "modified" | "-modified" | "amount" | "-amount";
                /**
                 * @description Event type, exact.
                 * @example collection.received
                 */
                type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Number of items on all pages together.
                         * @example 42
                         */
                        count: number;
                        /**
                         * @description URL of the next page, or null.
                         * @example null
                         */
                        next: string | null;
                        /**
                         * @description URL of the previous page, or null.
                         * @example null
                         */
                        previous: string | null;
                        results: components["schemas"]["Event"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /**
                 * @description Id of the first event, or the time at which the stream begins.
                 * @example 10 minutes ago
                 */
                since?: string;
                /**
                 * @description Event types, separated by commas; default: all.
                 * @example collection.received
                 */
                event?: string;
                /** @description The value of `hook.target` in the bodies. */
                target?: string;
            };
            header?: {
                /** @description Continue after this event. Overrides `since`. */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 1000
                     *     id: 4710
                     *
                     *     id: 4711
                     *     event: contact.created
                     *     data: {"hook":{"id":0,"user":7,"event":"contact.created","created":"2030-01-31T12:00:00Z","updated":"2030-01-31T12:00:00Z","target":""},"data":{"id":12}}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBillCategories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: {
                            /**
                             * @description Full name.
                             * @example Mtn Nigeria
                             */
                            name: string;
                            /**
                             * @description Code that identifies the service.
                             * @example mtn
                             */
                            service_type: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    listBillProviders: {
        parameters: {
            query?: {
                /**
                 * @description Only services of this country (ISO 3166-1). Lists of providers of one category have those of Nigeria unless it is given.
                 * @example KE
                 */
                country?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: {
                            providers: components["schemas"]["BillProvider"][];
                        };
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    listBillServicesOfCategoryByGet: {
        parameters: {
            query: {
                /**
                 * @description Code of the category.
                 * @example epin
                 */
                service_type: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: components["schemas"]["BillService"][];
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    listBillServicesOfCategory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Code of the category.
                     * @example epin
                     */
                    service_type: string;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description Code of the category.
                     * @example epin
                     */
                    service_type: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: components["schemas"]["BillService"][];
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    listBillServices: {
        parameters: {
            query?: {
                /**
                 * @description Only services of this country (ISO 3166-1). Lists of providers of one category have those of Nigeria unless it is given.
                 * @example KE
                 */
                country?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: components["schemas"]["BillService"][];
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    listAirtimeProviders: {
        parameters: {
            query?: {
                /**
                 * @description Only services of this country (ISO 3166-1). Lists of providers of one category have those of Nigeria unless it is given.
                 * @example KE
                 */
                country?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: {
                            providers: components["schemas"]["AirtimeProvider"][];
                        };
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    buyAirtime: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
                /** @description Sandbox only: how the simulated biller behaves. */
                "x-sandbox-scenario"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Unique for all time. `agentRefernce` is also accepted.
                     * @example order-17
                     */
                    agentReference: string;
                    /**
                     * @description Id of the integrator.
                     * @example 207
                     */
                    agentId?: string;
                    /**
                     * @description Custom attributes, as an object or a JSON text of one. `the service` is also accepted as the name.
                     * @example {
                     *       "order": 7
                     *     }
                     */
                    metadata?: Record<string, unknown> | string;
                    /**
                     * @description Amount in the currency of the service.
                     * @example 1000
                     */
                    amount: string;
                    /**
                     * @description Phone number: 11 digits in Nigeria, elsewhere with the country code.
                     * @example 08031234567
                     */
                    phone: string;
                    /**
                     * @description Provider.
                     * @example mtn
                     */
                    service_type: string;
                    /**
                     * @description One of the plans of the provider.
                     * @example prepaid
                     */
                    plan: string;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description Unique for all time. `agentRefernce` is also accepted.
                     * @example order-17
                     */
                    agentReference: string;
                    /**
                     * @description Id of the integrator.
                     * @example 207
                     */
                    agentId?: string;
                    /**
                     * @description Custom attributes, as an object or a JSON text of one. `the service` is also accepted as the name.
                     * @example {
                     *       "order": 7
                     *     }
                     */
                    metadata?: Record<string, unknown> | string;
                    /**
                     * @description Amount in the currency of the service.
                     * @example 1000
                     */
                    amount: string;
                    /**
                     * @description Phone number: 11 digits in Nigeria, elsewhere with the country code.
                     * @example 08031234567
                     */
                    phone: string;
                    /**
                     * @description Provider.
                     * @example mtn
                     */
                    service_type: string;
                    /**
                     * @description One of the plans of the provider.
                     * @example prepaid
                     */
                    plan: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: components["schemas"]["BillPurchaseResult"];
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            409: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    listAddons: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Service type of the provider.
                     * @example dstv
                     */
                    service_type: string;
                    /**
                     * @description Code of the bouquet.
                     * @example COMPE36
                     */
                    product_code: string;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description Service type of the provider.
                     * @example dstv
                     */
                    service_type: string;
                    /**
                     * @description Code of the bouquet.
                     * @example COMPE36
                     */
                    product_code: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: components["schemas"]["Bouquet"][];
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    listBouquets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Service type of the provider.
                     * @example dstv
                     */
                    service_type: string;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description Service type of the provider.
                     * @example dstv
                     */
                    service_type: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: components["schemas"]["Bouquet"][];
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    listCabletvProviders: {
        parameters: {
            query?: {
                /**
                 * @description Only services of this country (ISO 3166-1). Lists of providers of one category have those of Nigeria unless it is given.
                 * @example KE
                 */
                country?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: {
                            providers: components["schemas"]["BillProvider"][];
                        };
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    buyCableTv: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
                /** @description Sandbox only: how the simulated biller behaves. */
                "x-sandbox-scenario"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Unique for all time. `agentRefernce` is also accepted.
                     * @example order-17
                     */
                    agentReference: string;
                    /**
                     * @description Id of the integrator.
                     * @example 207
                     */
                    agentId?: string;
                    /**
                     * @description Custom attributes, as an object or a JSON text of one. `the service` is also accepted as the name.
                     * @example {
                     *       "order": 7
                     *     }
                     */
                    metadata?: Record<string, unknown> | string;
                    /**
                     * @description TV service.
                     * @example dstv
                     */
                    service_type: string;
                    /**
                     * @description Smartcard or IUC number.
                     * @example 4131953321
                     */
                    smartcard_number: string;
                    /**
                     * @description For a renewal any amount; otherwise the price of bouquet and add-on.
                     * @example 12500
                     */
                    total_amount: string;
                    /**
                     * @description Code of the new bouquet; `0` renews the current subscription.
                     * @example 0
                     */
                    product_code: string;
                    /**
                     * @description Number of months to pay.
                     * @example 1
                     */
                    product_monthsPaidFor: number;
                    /** @description Code of an add-on of the bouquet. */
                    addon_code?: string;
                    /** @description Number of months of the add-on; default: the same as the bouquet. */
                    addon_monthsPaidFor?: number;
                    isBoxOffice?: boolean;
                    /**
                     * @description Phone number: 11 digits in Nigeria, elsewhere with the country code.
                     * @example 08031234567
                     */
                    phone?: string;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description Unique for all time. `agentRefernce` is also accepted.
                     * @example order-17
                     */
                    agentReference: string;
                    /**
                     * @description Id of the integrator.
                     * @example 207
                     */
                    agentId?: string;
                    /**
                     * @description Custom attributes, as an object or a JSON text of one. `the service` is also accepted as the name.
                     * @example {
                     *       "order": 7
                     *     }
                     */
                    metadata?: Record<string, unknown> | string;
                    /**
                     * @description TV service.
                     * @example dstv
                     */
                    service_type: string;
                    /**
                     * @description Smartcard or IUC number.
                     * @example 4131953321
                     */
                    smartcard_number: string;
                    /**
                     * @description For a renewal any amount; otherwise the price of bouquet and add-on.
                     * @example 12500
                     */
                    total_amount: string;
                    /**
                     * @description Code of the new bouquet; `0` renews the current subscription.
                     * @example 0
                     */
                    product_code: string;
                    /**
                     * @description Number of months to pay.
                     * @example 1
                     */
                    product_monthsPaidFor: number;
                    /** @description Code of an add-on of the bouquet. */
                    addon_code?: string;
                    /** @description Number of months of the add-on; default: the same as the bouquet. */
                    addon_monthsPaidFor?: number;
                    isBoxOffice?: boolean;
                    /**
                     * @description Phone number: 11 digits in Nigeria, elsewhere with the country code.
                     * @example 08031234567
                     */
                    phone?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: components["schemas"]["BillPurchaseResult"];
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            409: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    listDataBundles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Service type of the provider.
                     * @example mtn
                     */
                    service_type: string;
                    /**
                     * @description Required for providers that sell to accounts: smile, spectranet.
                     * @example 08031234567
                     */
                    account_number?: string;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description Service type of the provider.
                     * @example mtn
                     */
                    service_type: string;
                    /**
                     * @description Required for providers that sell to accounts: smile, spectranet.
                     * @example 08031234567
                     */
                    account_number?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: components["schemas"]["DataBundle"][];
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    listDatabundleProviders: {
        parameters: {
            query?: {
                /**
                 * @description Only services of this country (ISO 3166-1). Lists of providers of one category have those of Nigeria unless it is given.
                 * @example KE
                 */
                country?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: {
                            providers: components["schemas"]["BillProvider"][];
                        };
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    buyDataBundle: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
                /** @description Sandbox only: how the simulated biller behaves. */
                "x-sandbox-scenario"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Unique for all time. `agentRefernce` is also accepted.
                     * @example order-17
                     */
                    agentReference: string;
                    /**
                     * @description Id of the integrator.
                     * @example 207
                     */
                    agentId?: string;
                    /**
                     * @description Custom attributes, as an object or a JSON text of one. `the service` is also accepted as the name.
                     * @example {
                     *       "order": 7
                     *     }
                     */
                    metadata?: Record<string, unknown> | string;
                    /**
                     * @description Phone number: 11 digits in Nigeria, elsewhere with the country code.
                     * @example 08031234567
                     */
                    phone: string;
                    /**
                     * @description Amount in the currency of the service. It must equal the price.
                     * @example 1000
                     */
                    amount?: string;
                    /**
                     * @description Provider.
                     * @example mtn
                     */
                    service_type: string;
                    /**
                     * @description Code of the bundle.
                     * @example 1000
                     */
                    datacode: string;
                    /** @description Account number; for providers that sell to accounts: smile, spectranet. */
                    account_number?: string;
                    /**
                     * @description Spectranet only.
                     * @enum {string}
                     */
                    package?: "RENEW" | "CHANGE_IMMEDIATE" | "CHANGE_AFTER_EXPIRY";
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description Unique for all time. `agentRefernce` is also accepted.
                     * @example order-17
                     */
                    agentReference: string;
                    /**
                     * @description Id of the integrator.
                     * @example 207
                     */
                    agentId?: string;
                    /**
                     * @description Custom attributes, as an object or a JSON text of one. `the service` is also accepted as the name.
                     * @example {
                     *       "order": 7
                     *     }
                     */
                    metadata?: Record<string, unknown> | string;
                    /**
                     * @description Phone number: 11 digits in Nigeria, elsewhere with the country code.
                     * @example 08031234567
                     */
                    phone: string;
                    /**
                     * @description Amount in the currency of the service. It must equal the price.
                     * @example 1000
                     */
                    amount?: string;
                    /**
                     * @description Provider.
                     * @example mtn
                     */
                    service_type: string;
                    /**
                     * @description Code of the bundle.
                     * @example 1000
                     */
                    datacode: string;
                    /** @description Account number; for providers that sell to accounts: smile, spectranet. */
                    account_number?: string;
                    /**
                     * @description Spectranet only.
                     * @enum {string}
                     */
                    package?: "RENEW" | "CHANGE_IMMEDIATE" | "CHANGE_AFTER_EXPIRY";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: components["schemas"]["BillPurchaseResult"];
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            409: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    listElectricityBillers: {
        parameters: {
            query?: {
                /**
                 * @description Only services of this country (ISO 3166-1). Lists of providers of one category have those of Nigeria unless it is given.
                 * @example KE
                 */
                country?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: {
                            providers: components["schemas"]["BillProvider"][];
                        };
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    listElectricityBillersByPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: {
                            providers: components["schemas"]["BillProvider"][];
                        };
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    buyElectricity: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
                /** @description Sandbox only: how the simulated biller behaves. */
                "x-sandbox-scenario"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Unique for all time. `agentRefernce` is also accepted.
                     * @example order-17
                     */
                    agentReference: string;
                    /**
                     * @description Id of the integrator.
                     * @example 207
                     */
                    agentId?: string;
                    /**
                     * @description Custom attributes, as an object or a JSON text of one. `the service` is also accepted as the name.
                     * @example {
                     *       "order": 7
                     *     }
                     */
                    metadata?: Record<string, unknown> | string;
                    /**
                     * @description Amount in the currency of the service.
                     * @example 1000
                     */
                    amount: string;
                    /**
                     * @description Phone number: 11 digits in Nigeria, elsewhere with the country code.
                     * @example 08031234567
                     */
                    phone: string;
                    /**
                     * @description Service type of the bill.
                     * @example ikeja_electric_prepaid
                     */
                    service_type: string;
                    /**
                     * @description Meter or account number.
                     * @example 04042404048
                     */
                    account_number: string;
                    /**
                     * @description Prepaid: send the token to `phone` in an SMS. Unless given, the setting of the organization counts.
                     * @example true
                     */
                    sendToken?: boolean;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description Unique for all time. `agentRefernce` is also accepted.
                     * @example order-17
                     */
                    agentReference: string;
                    /**
                     * @description Id of the integrator.
                     * @example 207
                     */
                    agentId?: string;
                    /**
                     * @description Custom attributes, as an object or a JSON text of one. `the service` is also accepted as the name.
                     * @example {
                     *       "order": 7
                     *     }
                     */
                    metadata?: Record<string, unknown> | string;
                    /**
                     * @description Amount in the currency of the service.
                     * @example 1000
                     */
                    amount: string;
                    /**
                     * @description Phone number: 11 digits in Nigeria, elsewhere with the country code.
                     * @example 08031234567
                     */
                    phone: string;
                    /**
                     * @description Service type of the bill.
                     * @example ikeja_electric_prepaid
                     */
                    service_type: string;
                    /**
                     * @description Meter or account number.
                     * @example 04042404048
                     */
                    account_number: string;
                    /**
                     * @description Prepaid: send the token to `phone` in an SMS. Unless given, the setting of the organization counts.
                     * @example true
                     */
                    sendToken?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: components["schemas"]["BillPurchaseResult"];
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            409: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    verifyMeter: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Service type of the bill.
                     * @example ikeja_electric_prepaid
                     */
                    service_type: string;
                    /**
                     * @description Meter or account number.
                     * @example 04042404048
                     */
                    account_number: string;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description Service type of the bill.
                     * @example ikeja_electric_prepaid
                     */
                    service_type: string;
                    /**
                     * @description Meter or account number.
                     * @example 04042404048
                     */
                    account_number: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: {
                            user: components["schemas"]["BillAccountHolder"];
                        };
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    listPinBundles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Service type of the provider.
                     * @example glo
                     */
                    service_type: string;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description Service type of the provider.
                     * @example glo
                     */
                    service_type: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: components["schemas"]["PinBundle"][];
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    listEpinProviders: {
        parameters: {
            query?: {
                /**
                 * @description Only services of this country (ISO 3166-1). Lists of providers of one category have those of Nigeria unless it is given.
                 * @example KE
                 */
                country?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: {
                            providers: components["schemas"]["BillProvider"][];
                        };
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    buyPins: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
                /** @description Sandbox only: how the simulated biller behaves. */
                "x-sandbox-scenario"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Unique for all time. `agentRefernce` is also accepted.
                     * @example order-17
                     */
                    agentReference: string;
                    /**
                     * @description Id of the integrator.
                     * @example 207
                     */
                    agentId?: string;
                    /**
                     * @description Custom attributes, as an object or a JSON text of one. `the service` is also accepted as the name.
                     * @example {
                     *       "order": 7
                     *     }
                     */
                    metadata?: Record<string, unknown> | string;
                    /**
                     * @description Amount in the currency of the service. It must equal the price.
                     * @example 1000
                     */
                    amount?: string;
                    /**
                     * @description Provider.
                     * @example glo
                     */
                    service_type: string;
                    /**
                     * @description Value of one pin.
                     * @example 100
                     */
                    pinValue: string;
                    /**
                     * @description Number of pins.
                     * @example 2
                     */
                    numberOfPins: number;
                    /**
                     * @description Phone number: 11 digits in Nigeria, elsewhere with the country code.
                     * @example 08031234567
                     */
                    phone?: string;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description Unique for all time. `agentRefernce` is also accepted.
                     * @example order-17
                     */
                    agentReference: string;
                    /**
                     * @description Id of the integrator.
                     * @example 207
                     */
                    agentId?: string;
                    /**
                     * @description Custom attributes, as an object or a JSON text of one. `the service` is also accepted as the name.
                     * @example {
                     *       "order": 7
                     *     }
                     */
                    metadata?: Record<string, unknown> | string;
                    /**
                     * @description Amount in the currency of the service. It must equal the price.
                     * @example 1000
                     */
                    amount?: string;
                    /**
                     * @description Provider.
                     * @example glo
                     */
                    service_type: string;
                    /**
                     * @description Value of one pin.
                     * @example 100
                     */
                    pinValue: string;
                    /**
                     * @description Number of pins.
                     * @example 2
                     */
                    numberOfPins: number;
                    /**
                     * @description Phone number: 11 digits in Nigeria, elsewhere with the country code.
                     * @example 08031234567
                     */
                    phone?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: components["schemas"]["BillPurchaseResult"];
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            409: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    listExamProducts: {
        parameters: {
            query: {
                /**
                 * @description Service type of the provider.
                 * @example jamb
                 */
                service_type: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: components["schemas"]["ExamProduct"][];
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    listExamProductsByPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Service type of the provider.
                     * @example jamb
                     */
                    service_type: string;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description Service type of the provider.
                     * @example jamb
                     */
                    service_type: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: components["schemas"]["ExamProduct"][];
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    buyExamPin: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
                /** @description Sandbox only: how the simulated biller behaves. */
                "x-sandbox-scenario"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Unique for all time. `agentRefernce` is also accepted.
                     * @example order-17
                     */
                    agentReference: string;
                    /**
                     * @description Id of the integrator.
                     * @example 207
                     */
                    agentId?: string;
                    /**
                     * @description Custom attributes, as an object or a JSON text of one. `the service` is also accepted as the name.
                     * @example {
                     *       "order": 7
                     *     }
                     */
                    metadata?: Record<string, unknown> | string;
                    /**
                     * @description Phone number: 11 digits in Nigeria, elsewhere with the country code.
                     * @example 08031234567
                     */
                    phone: string;
                    /**
                     * @description Amount in the currency of the service. It must equal the price.
                     * @example 1000
                     */
                    amount?: string;
                    /**
                     * @description Exam.
                     * @example jamb
                     */
                    service_type: string;
                    /**
                     * @description Confirmation code of the candidate.
                     * @example 9678528341
                     */
                    account_number: string;
                    /**
                     * @description Code from the list of products.
                     * @example DE
                     */
                    product_code: string;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description Unique for all time. `agentRefernce` is also accepted.
                     * @example order-17
                     */
                    agentReference: string;
                    /**
                     * @description Id of the integrator.
                     * @example 207
                     */
                    agentId?: string;
                    /**
                     * @description Custom attributes, as an object or a JSON text of one. `the service` is also accepted as the name.
                     * @example {
                     *       "order": 7
                     *     }
                     */
                    metadata?: Record<string, unknown> | string;
                    /**
                     * @description Phone number: 11 digits in Nigeria, elsewhere with the country code.
                     * @example 08031234567
                     */
                    phone: string;
                    /**
                     * @description Amount in the currency of the service. It must equal the price.
                     * @example 1000
                     */
                    amount?: string;
                    /**
                     * @description Exam.
                     * @example jamb
                     */
                    service_type: string;
                    /**
                     * @description Confirmation code of the candidate.
                     * @example 9678528341
                     */
                    account_number: string;
                    /**
                     * @description Code from the list of products.
                     * @example DE
                     */
                    product_code: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: components["schemas"]["BillPurchaseResult"];
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            409: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    findNameByGet: {
        parameters: {
            query: {
                /**
                 * @description Service type, of any category.
                 * @example jamb
                 */
                service_type: string;
                /**
                 * @description Meter, smartcard, phone or account number; for an exam the confirmation code.
                 * @example 9678528341
                 */
                account_number: string;
                /**
                 * @description Code from the list of products; required for exams.
                 * @example DE
                 */
                product_code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: {
                            user: components["schemas"]["BillAccountHolder"];
                        };
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    findName: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Service type, of any category.
                     * @example jamb
                     */
                    service_type: string;
                    /**
                     * @description Meter, smartcard, phone or account number; for an exam the confirmation code.
                     * @example 9678528341
                     */
                    account_number: string;
                    /**
                     * @description Code from the list of products; required for exams.
                     * @example DE
                     */
                    product_code?: string;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description Service type, of any category.
                     * @example jamb
                     */
                    service_type: string;
                    /**
                     * @description Meter, smartcard, phone or account number; for an exam the confirmation code.
                     * @example 9678528341
                     */
                    account_number: string;
                    /**
                     * @description Code from the list of products; required for exams.
                     * @example DE
                     */
                    product_code?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: {
                            user: components["schemas"]["BillAccountHolder"];
                        };
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    getBillBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: {
                            /** @example 1500 */
                            balance: string;
                            lastDeposit: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    requeryPurchase: {
        parameters: {
            query?: {
                /**
                 * @description Your reference of the purchase.
                 * @example order-17
                 */
                agentReference?: string;
                /** @description The same as `agentReference`, for newer clients. */
                reference?: string;
                /**
                 * @description The `transactionReference` of the purchase, instead of `agentReference`.
                 * @example 10700149
                 */
                transactionReference?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`, or `pending` for a purchase without a result yet.
                         * @example success
                         */
                        status: string;
                        /** @example Successful */
                        message: string;
                        /** @example 200 */
                        code: number;
                        data: components["schemas"]["BillPurchaseResult"];
                    };
                };
            };
            400: components["responses"]["BillRefused"];
            401: components["responses"]["BillRefused"];
            403: components["responses"]["BillRefused"];
            404: components["responses"]["BillRefused"];
            406: components["responses"]["BillRefused"];
            413: components["responses"]["BillRefused"];
            415: components["responses"]["BillRefused"];
            429: components["responses"]["BillRefused"];
            503: components["responses"]["BillRefused"];
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: number;
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: "id" | "-id" | "created" | "-created" | "modified" | "-modified" | "amount" | "-amount";
                /**
                 * @description The number, with or without its letters and zeros.
                 * @example INV-000012
                 */
                number?: string;
                /**
                 * @description State; `part`: issued, and a part of it is paid; `unpaid`: issued, and nothing of it is paid. One that does not exist finds nothing.
                 * @example issued
                 */
                state?: string;
                /**
                 * @description `true`: only overdue ones; `false`: only others.
                 * @example true
                 */
                overdue?: string;
                /**
                 * @description Id of the customer.
                 * @example 12
                 */
                contact?: number;
                /**
                 * @description The number of the customer, as payers type it.
                 * @example P5-017
                 */
                customer_number?: string;
                /**
                 * @description A tag of the customer, such as a class.
                 * @example P5
                 */
                tag?: string;
                /**
                 * @description Id of the batch that made it.
                 * @example 12
                 */
                batch?: number;
                /**
                 * @description International format; a missing `+` is added. A literal plus is sent as `%2B`.
                 * @example +80000000000
                 */
                phonenumber?: string;
                /**
                 * @description Id of one of its requests.
                 * @example 12
                 */
                collection_request?: number;
                /**
                 * @description Id of one of its payments.
                 * @example 12
                 */
                collection?: number;
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: string;
                /**
                 * @description Exact amount; `100` finds `100.0000`.
                 * @example 1500
                 */
                total?: string;
                /**
                 * @description Due after this day.
                 * @example 2030-01-31
                 */
                due_after?: string;
                /**
                 * @description Due before this day.
                 * @example 2030-01-31
                 */
                due_before?: string;
                /**
                 * @description Created after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_after?: string;
                /**
                 * @description Created before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_before?: string;
                /**
                 * @description Modified after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_after?: string;
                /**
                 * @description Modified before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Number of items on all pages together.
                         * @example 42
                         */
                        count: number;
                        /**
                         * @description URL of the next page, or null.
                         * @example null
                         */
                        next: string | null;
                        /**
                         * @description URL of the previous page, or null.
                         * @example null
                         */
                        previous: string | null;
                        results: components["schemas"]["Invoice"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    createInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvoice"];
                "application/x-www-form-urlencoded": components["schemas"]["NewInvoice"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Duplicate"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInvoiceBatches: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: number;
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: "id" | "-id" | "created" | "-created" | "modified" | "-modified" | "amount" | "-amount";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Number of items on all pages together.
                         * @example 42
                         */
                        count: number;
                        /**
                         * @description URL of the next page, or null.
                         * @example null
                         */
                        next: string | null;
                        /**
                         * @description URL of the previous page, or null.
                         * @example null
                         */
                        previous: string | null;
                        results: components["schemas"]["InvoiceBatch"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    createInvoiceBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. For 24 hours the same request with the same text continues the batch, and another request is refused. */
                "duplicate-check-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvoiceBatch"];
                "application/x-www-form-urlencoded": components["schemas"]["NewInvoiceBatch"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceBatch"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Duplicate"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewInvoiceBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvoiceBatch"];
                "application/x-www-form-urlencoded": components["schemas"]["NewInvoiceBatch"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceBatchPreview"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getInvoiceBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceBatch"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInvoiceCustomers: {
        parameters: {
            query: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: number;
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: "id" | "-id" | "created" | "-created" | "modified" | "-modified" | "amount" | "-amount";
                /**
                 * @description The tag, such as a class.
                 * @example P5
                 */
                tag: string;
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: string;
                /**
                 * @description Id of the batch that made it.
                 * @example 12
                 */
                batch?: number;
                /**
                 * @description Due after this day.
                 * @example 2030-01-31
                 */
                due_after?: string;
                /**
                 * @description Due before this day.
                 * @example 2030-01-31
                 */
                due_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Number of items on all pages together.
                         * @example 42
                         */
                        count: number;
                        /**
                         * @description URL of the next page, or null.
                         * @example null
                         */
                        next: string | null;
                        /**
                         * @description URL of the previous page, or null.
                         * @example null
                         */
                        previous: string | null;
                        results: components["schemas"]["InvoiceCustomerSum"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    issueInvoices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceSelection"];
                "application/x-www-form-urlencoded": components["schemas"]["InvoiceSelection"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicesDone"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    remindOfInvoices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceSelection"];
                "application/x-www-form-urlencoded": components["schemas"]["InvoiceSelection"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicesDone"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    sumInvoicesByTag: {
        parameters: {
            query?: {
                /**
                 * @description A tag of the customer, such as a class.
                 * @example P5
                 */
                tag?: string;
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: string;
                /**
                 * @description Id of the batch that made it.
                 * @example 12
                 */
                batch?: number;
                /**
                 * @description Due after this day.
                 * @example 2030-01-31
                 */
                due_after?: string;
                /**
                 * @description Due before this day.
                 * @example 2030-01-31
                 */
                due_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: components["schemas"]["InvoiceTagSum"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    voidInvoices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceSelectionVoid"];
                "application/x-www-form-urlencoded": components["schemas"]["InvoiceSelectionVoid"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicesDone"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceChanges"];
                "application/x-www-form-urlencoded": components["schemas"]["InvoiceChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    collectInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
            };
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvoiceCollection"];
                "application/x-www-form-urlencoded": components["schemas"]["NewInvoiceCollection"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Duplicate"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    issueInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
            };
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Duplicate"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
            };
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvoiceSend"];
                "application/x-www-form-urlencoded": components["schemas"]["NewInvoiceSend"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Duplicate"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    voidInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
            };
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvoiceVoid"];
                "application/x-www-form-urlencoded": components["schemas"]["NewInvoiceVoid"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Duplicate"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMatchingSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchingSettings"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeMatchingSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MatchingSettingsChanges"];
                "application/x-www-form-urlencoded": components["schemas"]["MatchingSettingsChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchingSettings"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNetworks: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: number;
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: "id" | "-id" | "created" | "-created" | "modified" | "-modified" | "amount" | "-amount";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Number of items on all pages together.
                         * @example 42
                         */
                        count: number;
                        /**
                         * @description URL of the next page, or null.
                         * @example null
                         */
                        next: string | null;
                        /**
                         * @description URL of the previous page, or null.
                         * @example null
                         */
                        previous: string | null;
                        results: components["schemas"]["Network"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNetwork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Network"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPaymentLinks: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: number;
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: "id" | "-id" | "created" | "-created" | "modified" | "-modified" | "amount" | "-amount";
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: string;
                /**
                 * @description State; one that does not exist finds nothing.
                 * @example active
                 */
                state?: string;
                /**
                 * @description The whole title.
                 * @example School fees, term 2
                 */
                title?: string;
                /**
                 * @description Created after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_after?: string;
                /**
                 * @description Created before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_before?: string;
                /**
                 * @description Modified after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_after?: string;
                /**
                 * @description Modified before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Number of items on all pages together.
                         * @example 42
                         */
                        count: number;
                        /**
                         * @description URL of the next page, or null.
                         * @example null
                         */
                        next: string | null;
                        /**
                         * @description URL of the previous page, or null.
                         * @example null
                         */
                        previous: string | null;
                        results: components["schemas"]["PaymentLink"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPaymentLink"];
                "application/x-www-form-urlencoded": components["schemas"]["NewPaymentLink"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Duplicate"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkChanges"];
                "application/x-www-form-urlencoded": components["schemas"]["PaymentLinkChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: number;
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: "id" | "-id" | "created" | "-created" | "modified" | "-modified" | "amount" | "-amount";
                /**
                 * @description Exact amount; `100` finds `100.0000`.
                 * @example 1500
                 */
                amount?: string;
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: string;
                /**
                 * @description `money` or `airtime`.
                 * @example money
                 */
                payment_type?: string;
                /**
                 * @description Id of the payment.
                 * @example 12
                 */
                payment_id?: number;
                /**
                 * @description International format; a missing `+` is added. A literal plus is sent as `%2B`.
                 * @example +80000000000
                 */
                phone_number?: string;
                /**
                 * @description The id that the network operator gave the transaction.
                 * @example TX9
                 */
                remote_transaction_id?: string;
                /**
                 * @description Created after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_after?: string;
                /**
                 * @description Created before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_before?: string;
                /**
                 * @description Modified after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_after?: string;
                /**
                 * @description Modified before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_before?: string;
                /**
                 * @description State of the payment. An unknown state matches no payment.
                 * @example processed
                 */
                payment_state?: string;
                /**
                 * @description State of the payment or of one of its recipients.
                 * @example complete
                 */
                state?: string;
                /**
                 * @description Code of the network of a recipient.
                 * @example sandbox
                 */
                network?: string;
                /**
                 * @description First name of a recipient.
                 * @example Jane
                 */
                first_name?: string;
                /**
                 * @description Last name of a recipient.
                 * @example Doe
                 */
                last_name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Number of items on all pages together.
                         * @example 42
                         */
                        count: number;
                        /**
                         * @description URL of the next page, or null.
                         * @example null
                         */
                        next: string | null;
                        /**
                         * @description URL of the previous page, or null.
                         * @example null
                         */
                        previous: string | null;
                        results: components["schemas"]["Payment"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPayment"];
                "application/x-www-form-urlencoded": components["schemas"]["NewPayment"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Duplicate"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPlans: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: number;
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: "id" | "-id" | "created" | "-created" | "modified" | "-modified" | "amount" | "-amount";
                /**
                 * @description State.
                 * @example active
                 */
                state?: "active" | "paused" | "ended" | "stopped";
                /**
                 * @description International format; a missing `+` is added. A literal plus is sent as `%2B`.
                 * @example +80000000000
                 */
                phonenumber?: string;
                /**
                 * @description Id of the customer.
                 * @example 12
                 */
                contact?: number;
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: string;
                /**
                 * @description Id of one of its requests, the first or a later one.
                 * @example 12
                 */
                collection_request?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Number of items on all pages together.
                         * @example 42
                         */
                        count: number;
                        /**
                         * @description URL of the next page, or null.
                         * @example null
                         */
                        next: string | null;
                        /**
                         * @description URL of the previous page, or null.
                         * @example null
                         */
                        previous: string | null;
                        results: components["schemas"]["Plan"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    pausePlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumePlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    stopPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    listReceipts: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: number;
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: "id" | "-id" | "created" | "-created" | "modified" | "-modified" | "amount" | "-amount";
                /**
                 * @description The number, with or without its letter and zeros.
                 * @example R-000012
                 */
                number?: string;
                /**
                 * @description Id of the payment.
                 * @example 12
                 */
                collection?: number;
                /**
                 * @description Id of the request that the payment fulfilled.
                 * @example 12
                 */
                collection_request?: number;
                /**
                 * @description Exact amount; `100` finds `100.0000`.
                 * @example 1500
                 */
                amount?: string;
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: string;
                /**
                 * @description International format; a missing `+` is added. A literal plus is sent as `%2B`.
                 * @example +80000000000
                 */
                phonenumber?: string;
                /**
                 * @description The network operator's own id of the payment.
                 * @example TX1
                 */
                remote_transaction_id?: string;
                /**
                 * @description Created after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_after?: string;
                /**
                 * @description Created before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_before?: string;
                /**
                 * @description Modified after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_after?: string;
                /**
                 * @description Modified before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Number of items on all pages together.
                         * @example 42
                         */
                        count: number;
                        /**
                         * @description URL of the next page, or null.
                         * @example null
                         */
                        next: string | null;
                        /**
                         * @description URL of the previous page, or null.
                         * @example null
                         */
                        previous: string | null;
                        results: components["schemas"]["Receipt"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    issueReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewReceipt"];
                "application/x-www-form-urlencoded": components["schemas"]["NewReceipt"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendReceipt: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
            };
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewReceiptSend"];
                "application/x-www-form-urlencoded": components["schemas"]["NewReceiptSend"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Duplicate"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgeing: {
        parameters: {
            query?: {
                /**
                 * @description Currency code.
                 * @example UGX
                 */
                currency?: string;
                /**
                 * @description Only customers with this tag, in any case.
                 * @example P5
                 */
                tag?: string;
                /**
                 * @description Page size; default 100, at most 1000. Files have all rows.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description Number of rows to skip.
                 * @example 0
                 */
                offset?: number;
                /**
                 * @description `csv`, `xlsx` or `pdf` returns a file with all rows. An `Accept` header with its media type does the same.
                 * @example json
                 */
                format?: "json" | "csv" | "xlsx" | "pdf";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ageing"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "application/pdf": unknown;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUnmatched: {
        parameters: {
            query?: {
                /**
                 * @description Currency code.
                 * @example UGX
                 */
                currency?: string;
                /**
                 * @description Page size; default 100, at most 1000. Files have all rows.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description Number of rows to skip.
                 * @example 0
                 */
                offset?: number;
                /**
                 * @description `csv`, `xlsx` or `pdf` returns a file with all rows. An `Accept` header with its media type does the same.
                 * @example json
                 */
                format?: "json" | "csv" | "xlsx" | "pdf";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnmatchedMoney"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "application/pdf": unknown;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSms: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: number;
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: "id" | "-id" | "created" | "-created" | "modified" | "-modified" | "amount" | "-amount";
                /**
                 * @description SMS in this state.
                 * @example failed
                 */
                state?: "waiting" | "sent" | "delivered" | "failed" | "unknown";
                /**
                 * @description SMS for this purpose.
                 * @example instructions
                 */
                purpose?: "instructions" | "reminder" | "payment_link" | "success" | "goods" | "message" | "reply";
                /**
                 * @description International format; a missing `+` is added. A literal plus is sent as `%2B`.
                 * @example +80000000000
                 */
                phonenumber?: string;
                /**
                 * @description SMS of this collection request.
                 * @example 12
                 */
                collection_request?: number;
                /**
                 * @description SMS of this bill purchase.
                 * @example 12
                 */
                bill_purchase?: number;
                /**
                 * @description SMS to the recipients of this payment.
                 * @example 12
                 */
                payment?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Number of items on all pages together.
                         * @example 42
                         */
                        count: number;
                        /**
                         * @description URL of the next page, or null.
                         * @example null
                         */
                        next: string | null;
                        /**
                         * @description URL of the previous page, or null.
                         * @example null
                         */
                        previous: string | null;
                        results: components["schemas"]["Sms"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSms: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sms"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: number;
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: "id" | "-id" | "created" | "-created" | "modified" | "-modified" | "amount" | "-amount";
                /**
                 * @description Id of the wallet.
                 * @example 1
                 */
                account?: number;
                /**
                 * @description Type; an unknown type finds nothing.
                 * @example mobile_collection
                 */
                type?: string;
                /**
                 * @description After this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_after?: string;
                /**
                 * @description Before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_before?: string;
                /**
                 * @description On this day or later, or at this time or later.
                 * @example 2030-01-31T12:00:00Z
                 */
                start_date?: string;
                /**
                 * @description On this day or earlier, or at this time or earlier.
                 * @example 2030-01-31
                 */
                end_date?: string;
                /**
                 * @description `csv` returns all matching items in one response, oldest first. `Accept: text/csv` does the same. `limit`, `offset` and `ordering` are then ignored.
                 * @example json
                 */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Number of items on all pages together.
                         * @example 42
                         */
                        count: number;
                        /**
                         * @description URL of the next page, or null.
                         * @example null
                         */
                        next: string | null;
                        /**
                         * @description URL of the previous page, or null.
                         * @example null
                         */
                        previous: string | null;
                        results: components["schemas"]["Transaction"][];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: number;
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: "id" | "-id" | "created" | "-created" | "modified" | "-modified" | "amount" | "-amount";
                /**
                 * @description Id of the user who created the webhook, exact.
                 * @example 1
                 */
                user?: number;
                /**
                 * @description Event type, exact.
                 * @example collection.received
                 */
                event?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Number of items on all pages together.
                         * @example 42
                         */
                        count: number;
                        /**
                         * @description URL of the next page, or null.
                         * @example null
                         */
                        next: string | null;
                        /**
                         * @description URL of the previous page, or null.
                         * @example null
                         */
                        previous: string | null;
                        results: components["schemas"]["Webhook"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhook"];
                "application/x-www-form-urlencoded": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Duplicate"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Unavailable"];
        };
    };
    notifyOfCollectionRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    hook: components["schemas"]["Webhook"];
                    data: components["schemas"]["CollectionRequest"];
                };
            };
        };
        responses: {
            /** @description Received. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Send no more notifications: deletes the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    notifyOfCollection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    hook: components["schemas"]["Webhook"];
                    data: components["schemas"]["Collection"];
                };
            };
        };
        responses: {
            /** @description Received. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Send no more notifications: deletes the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    notifyOfContact: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    hook: components["schemas"]["Webhook"];
                    data: components["schemas"]["Contact"];
                };
            };
        };
        responses: {
            /** @description Received. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Send no more notifications: deletes the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
