/* The types of openapi.json. Made by `npm run generate -w packages/client`; do not edit. */
export interface paths {
    "/api/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List wallets
         * @description Returns the wallets of your organization with their balances. A wallet is opened in the console or on the command line. Permission: `view`.
         */
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
        /**
         * Get one wallet
         * @description Returns the wallet with its present balance. Permission: `view`.
         */
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
        /**
         * List collection requests, or export all of them as CSV
         * @description Returns the requests of your organization. As CSV it returns all that match the filters in one file. Permission: `view`.
         */
        get: operations["listCollectionRequests"];
        put?: never;
        /**
         * Request money from a customer
         * @description Stores the request; a prompt or an SMS then asks the customer to pay. The answer does not wait for the customer: read the status later, or use a webhook. With `subscription_settings` it starts a plan. Permission: `initiate_collections`.
         */
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
        /**
         * List the batches of requests that were made from files and for tags
         * @description Permission: `view`.
         */
        get: operations["listRequestBatches"];
        put?: never;
        /**
         * Request the same amount from each customer with a tag
         * @description Permission: `initiate_collections`.
         */
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
        /**
         * Preview the requests of a batch; nothing is stored
         * @description Permission: `initiate_collections`.
         */
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
        /**
         * Get one batch of requests
         * @description Permission: `view`.
         */
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
        /**
         * Get one collection request
         * @description Returns the request with its present status. Use it when a webhook has not arrived. Permission: `view`.
         */
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
        /**
         * List what people did about a request
         * @description Returns the reminders, retries, payment links and refunds of a request, with the user and the comment of each. Permission: `view`.
         */
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
        /**
         * Send a payment link for the money of a failed or expired request
         * @description Creates a payment link for one use and the same amount, and sends its address to the customer by SMS. It expires after seven days, or at `expiry_date`. Permission: `initiate_collections`.
         */
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
        /**
         * Send the money of a successful request back, all of it or a part
         * @description Creates a payment to the phone that paid. Approvals, limits and fees are those of every payment. All refunds of a request together never exceed what was paid. Permission: `initiate_payments`.
         */
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
        /**
         * Send the instructions of an open request again
         * @description Sends the SMS that tells how to pay once more, and brings the next prompt forward if one is to come. Limits and quiet hours apply; the refusal says when the next reminder is possible. Permission: `initiate_collections`.
         */
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
        /**
         * Request the money of a failed or expired request again
         * @description Creates a new request for the same phone, amount, reason and metadata. It is refused while the customer may still pay the old one, or has paid. Permission: `initiate_collections`.
         */
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
        /**
         * List unmatched money of the phone of a collection request
         * @description Returns unmatched collections from the phone of the request since it was made, each with its difference from the amount of the request. Permission: `view`.
         */
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
        /**
         * List collections, or claim one
         * @description Returns the payments from customers. With `claim=true` it claims the single unmatched collection that the filters describe, and returns only this one. Permission: `view`.
         */
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
        /**
         * Get one collection
         * @description Returns the collection with its contact, its request and the transaction that credited it. Permission: `view`.
         */
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
        /**
         * List what a collection is for
         * @description Returns the invoices, customers and payment links that the money is for, and the part that is unmatched. Permission: `view`.
         */
        get: operations["listAllocations"];
        put?: never;
        /**
         * Match unmatched money with invoices, customers or payment links
         * @description Matches the money of a collection, whole or split into parts. 202 means that a second person must confirm it; nothing changes before. Permission: `initiate_collections`.
         */
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
        /**
         * Take an allocation back: the money is unmatched again
         * @description Ends the allocation; invoices that it paid are open again. 202 means that a second person must confirm it; nothing changes before. Permission: `initiate_collections`.
         */
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
        /**
         * Suggest what unmatched money may be for
         * @description Returns invoices, customers and requests that the money may be for, the likeliest first, each with its reason. A collection that is matched has no suggestions. Permission: `view`.
         */
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
        /**
         * List contacts
         * @description Returns the contacts of your organization with their tags, notes and payers. Permission: `view`.
         */
        get: operations["listContacts"];
        put?: never;
        /**
         * Create a contact
         * @description Stores a customer or recipient. A request or a payment with a new phone number also creates one. Permission: `manage_contacts`.
         */
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
        /**
         * Get one contact
         * @description Returns the contact with its tags, notes and payers. Permission: `view`.
         */
        get: operations["getContact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a contact
         * @description Changes the fields that the body has. Other fields stay as they are. Permission: `manage_contacts`.
         */
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
        /**
         * Get the credit and the unmatched money of a customer
         * @description Returns the credit of the customer by currency, and unmatched money from its phones. Permission: `view`.
         */
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
        /**
         * Get the statement of a customer: what was invoiced and paid, and what is owed
         * @description Returns the opening and the closing balance of a period, and each entry between them. It is also available as CSV, workbook and PDF. Permission: `view`.
         */
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
        /**
         * List the currencies of local wallets
         * @description Returns the currencies that a local wallet can have. The test currency exists only in the sandbox. Permission: `view`.
         */
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
        /**
         * Get one currency
         * @description Returns the currency with its country and its rate to the US dollar. Permission: `view`.
         */
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
        /**
         * List events
         * @description Returns the events of your organization. An event never changes and is kept for at least 30 days. Permission: `view`.
         */
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
         *     10 streams open. Permission: `view`.
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
        /**
         * Get one event
         * @description Returns the event with the object as it was when the event happened. Permission: `view`.
         */
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
        /**
         * List the categories of bill services
         * @description Returns the code and the name of each category. Permission: `pay_bills`.
         */
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
        /**
         * List the providers of all categories
         * @description Returns every provider whose service can be bought now. Permission: `pay_bills`.
         */
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
        /**
         * List the bill services of one category, by GET
         * @description Returns the services of the category, also those that cannot be bought now. An unknown category is refused with `BX0026`. Permission: `pay_bills`.
         */
        get: operations["listBillServicesOfCategoryByGet"];
        put?: never;
        /**
         * List the bill services of one category
         * @description Returns the services of the category, also those that cannot be bought now. An unknown category is refused with `BX0026`. Permission: `pay_bills`.
         */
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
        /**
         * List all bill services
         * @description Returns all services of the catalogue, also those that cannot be bought now. Permission: `pay_bills`.
         */
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
        /**
         * List the providers of airtime
         * @description Returns the providers whose airtime can be bought now, with their plans. Without one it is refused with `BX0026`. Permission: `pay_bills`.
         */
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
         * @description Pays from the wallet of your organization. The answer comes when the biller has settled the purchase. Permission: `pay_bills`.
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
        /**
         * List the add-ons of a bouquet
         * @description Returns the add-ons that can be bought together with the bouquet, with their prices. Permission: `pay_bills`.
         */
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
        /**
         * List the bouquets of a TV service, for a change of plan
         * @description Returns the bouquets with their prices by number of months. Permission: `pay_bills`.
         */
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
        /**
         * List the providers of the category cabletv
         * @description Returns the providers whose services can be bought now. Without one it is refused with `BX0026`. Permission: `pay_bills`.
         */
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
         * @description Pays from the wallet of your organization. The answer comes when the biller has settled the purchase. Permission: `pay_bills`.
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
        /**
         * List the data bundles of a provider
         * @description Returns the bundles with their prices. Use `datacode` in the purchase. Permission: `pay_bills`.
         */
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
        /**
         * List the providers of the category databundle
         * @description Returns the providers whose services can be bought now. Without one it is refused with `BX0026`. Permission: `pay_bills`.
         */
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
         * @description Pays from the wallet of your organization. The answer comes when the biller has settled the purchase. Permission: `pay_bills`.
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
        /**
         * List the electricity companies
         * @description Returns the companies whose bills can be paid now. Without one it is refused with `BX0026`. Permission: `pay_bills`.
         */
        get: operations["listElectricityBillers"];
        put?: never;
        /**
         * List the electricity companies, by POST
         * @description Returns the companies whose bills can be paid now. Without one it is refused with `BX0026`. Permission: `pay_bills`.
         */
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
         * @description Pays from the wallet of your organization. The answer comes when the biller has settled the purchase. Permission: `pay_bills`.
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
        /**
         * Find the holder of a meter or an electricity account
         * @description Asks the electricity company whose meter or account it is. An unknown one is refused with `BX0025`. Permission: `pay_bills`.
         */
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
        /**
         * List the pins of a provider and how many are available
         * @description Returns each value of a pin, with the maximum number that can be bought. Permission: `pay_bills`.
         */
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
        /**
         * List the providers of the category epin
         * @description Returns the providers whose services can be bought now. Without one it is refused with `BX0026`. Permission: `pay_bills`.
         */
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
         * @description Pays from the wallet of your organization. The answer comes when the biller has settled the purchase. Permission: `pay_bills`.
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
        /**
         * List the exam pins of a provider
         * @description Returns the products with their prices. Use `product_code` in the name look-up and in the purchase. Permission: `pay_bills`.
         */
        get: operations["listExamProducts"];
        put?: never;
        /**
         * List the exam pins of a provider, by POST
         * @description Returns the products with their prices. Use `product_code` in the name look-up and in the purchase. Permission: `pay_bills`.
         */
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
         * @description Pays from the wallet of your organization. The answer comes when the biller has settled the purchase. Permission: `pay_bills`.
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
        /**
         * Find the holder of an account, by GET
         * @description Asks the biller whose account it is. An unknown account is refused with `BX0025`. An exam pin is sold only after this look-up. Permission: `pay_bills`.
         */
        get: operations["findNameByGet"];
        put?: never;
        /**
         * Find the holder of an account
         * @description Asks the biller whose account it is. An unknown account is refused with `BX0025`. An exam pin is sold only after this look-up. Permission: `pay_bills`.
         */
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
        /**
         * Get the balance of the wallet that pays for bills
         * @description Returns the amount that the wallet can spend, without the amounts on hold for open purchases, and the time of the last deposit. Permission: `pay_bills`.
         */
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
        /**
         * Get the result of a purchase
         * @description Returns the result of the first call again, with its token. Give `agentReference`, `reference` or `transactionReference`. An unknown purchase is refused with `BX0002`. Permission: `pay_bills`.
         */
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
        /**
         * List invoices
         * @description Returns the invoices of your organization with their sums, payments and reminders. Permission: `view`.
         */
        get: operations["listInvoices"];
        put?: never;
        /**
         * Make a draft of an invoice
         * @description Stores a draft without a number and without a page. It can be changed and deleted until it is issued. Permission: `initiate_collections`.
         */
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
        /**
         * List the batches of invoices that were made from files and for tags
         * @description Returns the batches with the number of invoices that each has made and skipped. Permission: `view`.
         */
        get: operations["listInvoiceBatches"];
        put?: never;
        /**
         * Make an invoice for each customer with a tag
         * @description Makes the invoices as drafts, or issues them at once with `issue`. With the same `Duplicate-Check-Key` an interrupted call continues where it ended. Permission: `initiate_collections`.
         */
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
        /**
         * What a batch would make; nothing is stored
         * @description Returns the number of invoices, their sums, and customers who have the same invoice already. Permission: `initiate_collections`.
         */
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
        /**
         * Get one batch of invoices
         * @description Returns the batch with the number of invoices that it has made and skipped. Permission: `view`.
         */
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
        /**
         * The customers with a tag by name, with what they owe and have paid
         * @description Returns each customer with number, name, state, and the sums in each currency. Permission: `view`.
         */
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
        /**
         * Issue many drafts, in the order of their ids
         * @description Issues the chosen drafts, or all that match a filter. Invoices that cannot be issued are listed with the reason. An interrupted call can be repeated. Permission: `initiate_collections`.
         */
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
        /**
         * Remind the customers of many issued invoices now, each at most once a day
         * @description Reminds the customers of the chosen invoices, or of all that match a filter. Invoices that cannot be reminded of are listed with the reason. Permission: `initiate_collections`.
         */
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
        /**
         * What was invoiced, paid and is open, by the tags of customers
         * @description Returns the sums of each tag in each currency. A customer with several tags counts for each of them. Permission: `view`.
         */
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
        /**
         * Void many issued invoices; they keep their numbers
         * @description Voids the chosen invoices, or all that match a filter. Invoices that cannot be voided are listed with the reason. An interrupted call can be repeated. Permission: `initiate_collections`.
         */
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
        /**
         * Get one invoice
         * @description Returns the invoice with its lines, sums, payments and reminders. Permission: `view`.
         */
        get: operations["getInvoice"];
        put?: never;
        post?: never;
        /**
         * Delete a draft; the answer is the draft as it was
         * @description Deletes the draft and returns it as it was. An issued invoice cannot be deleted; void it. Permission: `initiate_collections`.
         */
        delete: operations["deleteInvoice"];
        options?: never;
        head?: never;
        /**
         * Change a draft
         * @description Changes the fields that the body has. An issued invoice cannot be changed. Permission: `initiate_collections`.
         */
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
        /**
         * Request the open amount, or a part of it, from the customer now
         * @description Creates a collection request for what is open, or for `amount`. It is refused while another request of the invoice may be paid. Permission: `initiate_collections`.
         */
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
        /**
         * Issue a draft: it gets its number and cannot be changed any more
         * @description Gives the draft its number and its page. Credit of the customer pays it at once. Permission: `initiate_collections`.
         */
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
        /**
         * Send an issued invoice by SMS or e-mail
         * @description Sends the address of the page to the customer, or to the phone or e-mail address in the body. Permission: `initiate_collections`.
         */
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
        /**
         * Void an issued invoice; it keeps its number
         * @description Ends the invoice; nothing asks for its money any more. It is refused while a request may still be paid, and when money arrived that is not refunded. Permission: `initiate_collections`.
         */
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
        /**
         * Get what is done with money that nobody asked for
         * @description Returns the rules of your organization for too much money and for unknown numbers. Permission: `view`.
         */
        get: operations["getMatchingSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change what is done with money that nobody asked for
         * @description Changes the rules that the body has. The other rules stay as they are. Permission: `manage_organization`.
         */
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
        /**
         * List mobile-money networks
         * @description Returns one entry for each network and country that this installation serves. Permission: `view`.
         */
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
        /**
         * Get one mobile-money network
         * @description Returns the network with its country and the pattern of its phone numbers. Permission: `view`.
         */
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
        /**
         * List payment links
         * @description Returns the payment links of your organization with their addresses and states. Permission: `view`.
         */
        get: operations["listPaymentLinks"];
        put?: never;
        /**
         * Create a page on which customers pay
         * @description Creates a page with an address of its own, on which customers type their phone number and pay. The amount is fixed, chosen from a list, or typed by the customer. Permission: `initiate_collections`.
         */
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
        /**
         * Get one payment link
         * @description Returns the payment link with its address and state. Permission: `view`.
         */
        get: operations["getPaymentLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change, close or open a payment link
         * @description Changes the fields that the body has. `state` closes the link, or opens it again. Permission: `initiate_collections`.
         */
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
        /**
         * List payments
         * @description Returns the payments of your organization with their recipients. Permission: `view`.
         */
        get: operations["listPayments"];
        put?: never;
        /**
         * Send money or airtime to one phone or many
         * @description Holds the amount in the wallet and sends it, after its approvals if it needs any. The answer does not wait for the network: read the state later, or use a webhook. Permission: `initiate_payments`.
         */
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
        /**
         * Get one payment
         * @description Returns the payment with its recipients, approvals and transactions. Permission: `view`.
         */
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
        /**
         * List plans
         * @description Returns the recurring collection requests of your organization, with their dates and sums. Permission: `view`.
         */
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
        /**
         * Get one plan
         * @description Returns the plan with its dates and sums. Permission: `view`.
         */
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
        /**
         * Pause a plan
         * @description No request is made while the plan is paused, and dates in that time are left out. Permission: `initiate_collections`.
         */
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
        /**
         * Resume a plan at its next date
         * @description Makes the plan active again. Dates that passed in the pause are not made up for. Permission: `initiate_collections`.
         */
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
        /**
         * Stop a plan permanently
         * @description Ends the plan: it makes no further request and cannot be resumed. Requests that are open stay open. Permission: `initiate_collections`.
         */
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
        /**
         * List receipts
         * @description Returns the receipts of your organization with their addresses. Permission: `view`.
         */
        get: operations["listReceipts"];
        put?: never;
        /**
         * Make the receipt of a payment, or get the one that it has
         * @description Gives a payment that arrived its receipt, with a number and a page. Name the collection, or the request that it fulfilled. A second call returns the same receipt. Permission: `initiate_collections`.
         */
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
        /**
         * Get one receipt
         * @description Returns the receipt with its addresses and its present state. Permission: `view`.
         */
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
        /**
         * Send a receipt by SMS or e-mail
         * @description Sends the address of the receipt to the phone that paid, or to the phone or e-mail address in the body. Permission: `initiate_collections`.
         */
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
        /**
         * Get the open amounts of customers by how long they are overdue
         * @description Returns the open amounts of each customer and currency by days overdue, and the totals. They are also available as CSV, workbook and PDF. Permission: `view`.
         */
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
        /**
         * Get the money that came in and is for nothing yet, by age
         * @description Returns the collections with an unmatched part, and the sums by age in each currency. They are also available as CSV, workbook and PDF. Permission: `view`.
         */
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
        /**
         * List SMS to customers
         * @description Returns the SMS to your customers with their texts and states. Digits of a bought token are hidden from keys without `pay_bills`. Permission: `view`.
         */
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
        /**
         * Get one SMS
         * @description Returns the SMS with its text and its state. Digits of a bought token are hidden from keys without `pay_bills`. Permission: `view`.
         */
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
        /**
         * List transactions, or export all of them as CSV
         * @description Returns the changes of your balances. As CSV it returns all that match the filters in one file. Permission: `view`.
         */
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
        /**
         * Get one transaction
         * @description Returns the transaction with its wallet and its amount. Permission: `view`.
         */
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
        /**
         * List webhooks
         * @description Returns the webhooks of your organization. Permission: `manage_organization`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Registers a URL for one event type. The console shows the secret that signs its notifications, and deletes webhooks. Permission: `manage_organization`.
         */
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
        /**
         * Get one webhook
         * @description Returns the webhook with its event type and its URL. Permission: `manage_organization`.
         */
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
         * @description Sent for each change of the status, also when the request ends without a payment.
         */
        post: operations["notifyOfCollectionrequestStatusChanged"];
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
         * @description Sent once for each payment of a customer, with or without a request.
         */
        post: operations["notifyOfCollectionReceived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.status.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The state of a payment changed
         * @description Sent for each change of the state, such as an approval or the result of the network.
         */
        post: operations["notifyOfPaymentStatusChanged"];
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
         * @description Sent once for each contact, also for one that a new phone number created.
         */
        post: operations["notifyOfContactCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "billpayment.status.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A bill purchase ended
         * @description Sent when the purchase has succeeded or failed, with its result. Offered to webhooks with `EXTRA_EVENT_TYPES=on`; always in the list and the stream of events.
         */
        post: operations["notifyOfBillpaymentStatusChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "collection.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The network took a collection back
         * @description Sent when the network takes money of a collection back, whole or in part. Offered to webhooks with `EXTRA_EVENT_TYPES=on`; always in the list and the stream of events.
         */
        post: operations["notifyOfCollectionReversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.credit_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The credit of a customer changed
         * @description Sent for each change of the credit, with the credit afterwards. Offered to webhooks with `EXTRA_EVENT_TYPES=on`; always in the list and the stream of events.
         */
        post: operations["notifyOfContactCreditChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.issued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An invoice was issued
         * @description Sent when a draft gets its number. Offered to webhooks with `EXTRA_EVENT_TYPES=on`; always in the list and the stream of events.
         */
        post: operations["notifyOfInvoiceIssued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An invoice was paid
         * @description Sent when nothing of the invoice is open any more. Offered to webhooks with `EXTRA_EVENT_TYPES=on`; always in the list and the stream of events.
         */
        post: operations["notifyOfInvoicePaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.partly_paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A part of an invoice was paid
         * @description Sent when money arrives and a part of the invoice stays open. Offered to webhooks with `EXTRA_EVENT_TYPES=on`; always in the list and the stream of events.
         */
        post: operations["notifyOfInvoicePartlyPaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.reopened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A paid invoice is open again
         * @description Sent when money of a paid invoice was taken back or moved. Offered to webhooks with `EXTRA_EVENT_TYPES=on`; always in the list and the stream of events.
         */
        post: operations["notifyOfInvoiceReopened"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.voided": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An invoice was voided
         * @description Sent when the invoice ends without a payment; it keeps its number. Offered to webhooks with `EXTRA_EVENT_TYPES=on`; always in the list and the stream of events.
         */
        post: operations["notifyOfInvoiceVoided"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @example {
         *       "id": 1,
         *       "organization": 1,
         *       "name": "BXC wallet",
         *       "kind": "local",
         *       "balance": 1500.5,
         *       "currency": "BXC",
         *       "status": "active",
         *       "created": "2030-01-31T12:00:00Z",
         *       "author": 1,
         *       "modified": "2030-01-31T12:00:00Z",
         *       "updated_by": null
         *     }
         */
        Account: {
            id: number;
            /** @description Your organization. */
            organization: number;
            /** @description What you call it. */
            name: string;
            /**
             * @description Whether it collects from other countries.
             * @enum {string}
             */
            kind: "local" | "cross_border";
            /** @description Its balance. */
            balance: string;
            /** @description Three-letter code. */
            currency: string;
            /**
             * @description Whether it is in use.
             * @enum {string}
             */
            status: "active" | "inactive";
            created: components["schemas"]["Timestamp"];
            /** @description The user who opened it. */
            author: number;
            modified: components["schemas"]["Timestamp"];
            /** @description The user who changed it last. */
            updated_by: string | null;
        };
        /**
         * @example {
         *       "day": "2030-03-05",
         *       "zone": "Africa/Kampala",
         *       "count": 40,
         *       "rows": [],
         *       "totals": []
         *     }
         */
        Ageing: {
            /** @description The day of the report, in the time zone of the organization. */
            day: string;
            /** @description The time zone of the organization. */
            zone: string;
            /** @description The number of rows on all pages together. */
            count: number;
            /** @description A row for each customer and currency, what is overdue most first. */
            rows: components["schemas"]["AgeingRow"][];
            /** @description The sums of all rows, one for each currency. */
            totals: components["schemas"]["AgeingTotal"][];
        };
        /**
         * @example {
         *       "contact": 3,
         *       "customer_number": "P5-0012",
         *       "customer_name": "Jane Doe",
         *       "phonenumber": "+80000000000",
         *       "tags": [
         *         "P5"
         *       ],
         *       "currency": "UGX",
         *       "invoices": 1,
         *       "oldest_due_date": "2030-02-28",
         *       "not_due_amount": "850000.0000",
         *       "days_1_30_amount": "0.0000",
         *       "days_31_60_amount": "0.0000",
         *       "days_61_90_amount": "0.0000",
         *       "days_over_90_amount": "0.0000",
         *       "overdue_amount": "0.0000",
         *       "open_amount": "850000.0000"
         *     }
         */
        AgeingRow: {
            /** @description The customer. */
            contact: number;
            /** @description The customer number. */
            customer_number: string | null;
            /** @description The name of the customer; empty if it is not known. */
            customer_name: string;
            /** @description The phone number of the customer; empty without one. */
            phonenumber: string;
            /** @description The tags of the customer. */
            tags: string[];
            /** @description Three-letter code. */
            currency: string;
            /** @description How many invoices are open. */
            invoices: number;
            /** @description The due date of the oldest of them. */
            oldest_due_date: string;
            /** @description Of invoices whose due date is not over. */
            not_due_amount: components["schemas"]["Amount"];
            /** @description Of invoices that are 1 to 30 days overdue. */
            days_1_30_amount: components["schemas"]["Amount"];
            /** @description Of invoices that are 31 to 60 days overdue. */
            days_31_60_amount: components["schemas"]["Amount"];
            /** @description Of invoices that are 61 to 90 days overdue. */
            days_61_90_amount: components["schemas"]["Amount"];
            /** @description Of invoices that are more than 90 days overdue. */
            days_over_90_amount: components["schemas"]["Amount"];
            /** @description All that is overdue. */
            overdue_amount: components["schemas"]["Amount"];
            /** @description All that is open. */
            open_amount: components["schemas"]["Amount"];
        };
        /**
         * @example {
         *       "currency": "UGX",
         *       "customers": 40,
         *       "invoices": 43,
         *       "not_due_amount": "850000.0000",
         *       "days_1_30_amount": "0.0000",
         *       "days_31_60_amount": "0.0000",
         *       "days_61_90_amount": "0.0000",
         *       "days_over_90_amount": "0.0000",
         *       "overdue_amount": "0.0000",
         *       "open_amount": "850000.0000"
         *     }
         */
        AgeingTotal: {
            /** @description Three-letter code. */
            currency: string;
            /** @description How many customers have open invoices. */
            customers: number;
            /** @description How many invoices are open. */
            invoices: number;
            /** @description Of invoices whose due date is not over. */
            not_due_amount: components["schemas"]["Amount"];
            /** @description Of invoices that are 1 to 30 days overdue. */
            days_1_30_amount: components["schemas"]["Amount"];
            /** @description Of invoices that are 31 to 60 days overdue. */
            days_31_60_amount: components["schemas"]["Amount"];
            /** @description Of invoices that are 61 to 90 days overdue. */
            days_61_90_amount: components["schemas"]["Amount"];
            /** @description Of invoices that are more than 90 days overdue. */
            days_over_90_amount: components["schemas"]["Amount"];
            /** @description All that is overdue. */
            overdue_amount: components["schemas"]["Amount"];
            /** @description All that is open. */
            open_amount: components["schemas"]["Amount"];
        };
        /**
         * @description Unique for all time. `agentRefernce` is also accepted.
         * @example order-17
         */
        AgentReference: string;
        /**
         * @example {
         *       "service_type": "mtn",
         *       "shortname": "mtn",
         *       "name": "Mtn Nigeria",
         *       "plans": [
         *         "prepaid"
         *       ]
         *     }
         */
        AirtimeProvider: {
            /** @description Code that identifies the service. */
            service_type: string;
            /** @description Abbreviation. */
            shortname: string;
            /** @description Full name. */
            name: string;
            /** @description Plans that can be bought. */
            plans: ("prepaid" | "postpaid")[];
        };
        /**
         * @example {
         *       "id": 1,
         *       "collection": 1,
         *       "invoice": 12,
         *       "payment_link": null,
         *       "contact": null,
         *       "amount": "85000.0000",
         *       "reason": "invoice_number",
         *       "note": "",
         *       "author": null,
         *       "created": "2030-01-31T12:00:00Z"
         *     }
         */
        Allocation: {
            id: number;
            /** @description The money. */
            collection: number;
            /** @description The invoice that it pays. */
            invoice: number | null;
            /** @description The payment link that it pays. */
            payment_link: number | null;
            /** @description The customer whose credit it is. */
            contact: number | null;
            /** @description How much of the money. */
            amount: components["schemas"]["Amount"];
            /**
             * @description Why: `invoice_number`, `link_number`, `customer_number`: the payer typed it. `same_amount`: the only open invoice of the customer with this amount. `only_customer`: the phone pays for this customer only. `surplus`: more than was open. `credit`: credit of the customer. `person`: a person chose it.
             * @enum {string}
             */
            reason: "invoice_number" | "link_number" | "customer_number" | "same_amount" | "only_customer" | "surplus" | "credit" | "person";
            /** @description What the person wrote. */
            note: string;
            /** @description The person; null for the service. */
            author: number | null;
            created: components["schemas"]["Timestamp"];
        };
        /**
         * @description A decimal number as text, with four decimals.
         * @example 1500.0000
         */
        Amount: string;
        /**
         * @example {
         *       "name": "ADA SANDBOX OKAFOR",
         *       "address": "12 SANDBOX STREET",
         *       "outstandingBalance": null,
         *       "dueDate": "2030-01-31T00:00:00+01:00",
         *       "district": "IKEJA",
         *       "accountNumber": "04042404048",
         *       "minimumAmount": 500,
         *       "rawOutput": {
         *         "firstName": "ADA",
         *         "lastName": "OKAFOR",
         *         "middleName": "SANDBOX",
         *         "gsmNo": "08000000000",
         *         "error": null
         *       },
         *       "errorMessage": null
         *     }
         */
        BillAccountHolder: {
            /** @description Name of the holder. */
            name: string;
            /** @description Address of the meter. */
            address: string | null;
            /** @description What the holder owes the biller. */
            outstandingBalance: string | null;
            /** @description End of the subscription. */
            dueDate: string | null;
            /** @description District of the electricity company. */
            district: string | null;
            /** @description Account number in the form that the biller uses. */
            accountNumber: string | null;
            /** @description The smallest amount that can be paid. */
            minimumAmount: string | null;
            /** @description Data of the biller, unchanged. */
            rawOutput: {
                [key: string]: unknown;
            };
            /** @description Null when a holder was found. */
            errorMessage: string | null;
        } & {
            [key: string]: unknown;
        };
        BillError: {
            /**
             * @description Always `error`.
             * @example error
             * @constant
             */
            status: "error";
            /**
             * @description What is wrong, in words.
             * @example Invalid request parameters.
             */
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
        /**
         * @example {
         *       "service_type": "mtn",
         *       "shortname": "mtn",
         *       "biller_id": 11,
         *       "product_id": 28,
         *       "name": "Mtn Nigeria"
         *     }
         */
        BillProvider: {
            /** @description Code that identifies the service. */
            service_type: string;
            /** @description Abbreviation. */
            shortname: string;
            /** @description Id of the biller. */
            biller_id: number;
            /** @description Id of the product. */
            product_id: number;
            /** @description Full name. */
            name: string;
        };
        /**
         * @example {
         *       "statusCode": "0",
         *       "transactionStatus": "success",
         *       "transactionReference": 10700149,
         *       "transactionMessage": "Payment Successful",
         *       "tokenCode": "12345678901234567890",
         *       "amountOfPower": "16.4KWH",
         *       "tokenAmount": 1000
         *     }
         */
        BillPurchaseResult: {
            /** @description `0` on success. */
            statusCode?: string;
            /** @description `success`, `pending` or `failed`. */
            transactionStatus: string;
            /** @description Id of the purchase. */
            transactionReference: number;
            /** @description Result as a text for people. */
            transactionMessage: string | null;
            /** @description Prepaid electricity: the token, 20 digits. */
            tokenCode?: string;
            /** @description Prepaid electricity: the quantity in kWh. */
            amountOfPower?: string;
            /** @description Prepaid electricity: the amount paid. */
            tokenAmount?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "id": 34,
         *       "serviceId": 42,
         *       "serviceCode": "GLO",
         *       "serviceCategory": "epin",
         *       "biller_id": 11,
         *       "serviceBiller": "glo",
         *       "serviceType": "glo",
         *       "serviceName": "Globacom Nigeria ePin",
         *       "serviceDescription": "Globacom Nigeria ePin",
         *       "serviceHandler": "epin",
         *       "serviceProvider": "glo",
         *       "serviceEnabled": true,
         *       "serviceStatus": "active",
         *       "serviceCountry": "NG",
         *       "serviceCurrency": "NGN",
         *       "serviceLogo": null,
         *       "deployed": true,
         *       "b2b_deployed": true,
         *       "created_at": "2030-01-31T12:00:00Z",
         *       "updated_at": "2030-01-31T12:00:00Z"
         *     }
         */
        BillService: {
            /** @description Id of the service. */
            id: number;
            /** @description Id of the product. */
            serviceId: number;
            /** @description The service type in capitals. */
            serviceCode: string;
            /** @description Code of the category. */
            serviceCategory: string;
            /** @description Id of the biller. */
            biller_id: number;
            /** @description Short name of the biller. */
            serviceBiller: string;
            /** @description The `service_type` of other calls. */
            serviceType: string;
            /** @description Full name. */
            serviceName: string;
            /** @description The same as the name. */
            serviceDescription: string;
            /** @description Code of the category. */
            serviceHandler: string;
            /** @description Short name of the provider. */
            serviceProvider: string;
            /** @description Whether it can be bought now. */
            serviceEnabled: boolean;
            /** @description The same as `serviceEnabled`, as a word. */
            serviceStatus: string;
            /** @description ISO 3166-1: where it is sold. */
            serviceCountry: string;
            /** @description ISO 4217: of its prices, and of the account that pays. */
            serviceCurrency: string;
            /** @description Always null. */
            serviceLogo: string | null;
            /** @description Whether it can be bought now. */
            deployed: boolean;
            /** @description Whether it can be bought now. */
            b2b_deployed: boolean;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * @example {
         *       "availablePricingOptions": [
         *         {
         *           "monthsPaidFor": 1,
         *           "price": 1500,
         *           "invoicePeriod": 1
         *         }
         *       ],
         *       "code": "COMPE36",
         *       "name": "DStv Compact",
         *       "description": " "
         *     }
         */
        Bouquet: {
            /** @description The prices by number of months. */
            availablePricingOptions: {
                /** @description Number of months. */
                monthsPaidFor: number;
                /** @description Price of all these months together. */
                price: string;
                /** @description Number of months of an invoice of the biller. */
                invoicePeriod: number;
            }[];
            /** @description Code in a purchase. */
            code: string;
            /** @description Display name. */
            name: string;
            /** @description Further description, or a space. */
            description: string;
        };
        /**
         * @example {
         *       "agentReference": "order-17",
         *       "amount": "1000",
         *       "phone": "08031234567",
         *       "service_type": "mtn",
         *       "plan": "prepaid"
         *     }
         */
        BuyAirtime: {
            agentReference: components["schemas"]["AgentReference"];
            /**
             * @description Id of the integrator.
             * @example 207
             */
            agentId?: string;
            metadata?: components["schemas"]["Metadata"];
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
        /**
         * @example {
         *       "agentReference": "order-17",
         *       "service_type": "dstv",
         *       "smartcard_number": "4131953321",
         *       "total_amount": "12500",
         *       "product_code": "0",
         *       "product_monthsPaidFor": 1
         *     }
         */
        BuyCableTv: {
            agentReference: components["schemas"]["AgentReference"];
            /**
             * @description Id of the integrator.
             * @example 207
             */
            agentId?: string;
            metadata?: components["schemas"]["Metadata"];
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
            /**
             * @description Passed to the TV service as it is.
             * @example false
             */
            isBoxOffice?: boolean;
            /**
             * @description Phone number: 11 digits in Nigeria, elsewhere with the country code.
             * @example 08031234567
             */
            phone?: string;
        };
        /**
         * @example {
         *       "agentReference": "order-17",
         *       "phone": "08031234567",
         *       "service_type": "mtn",
         *       "datacode": "1000"
         *     }
         */
        BuyDataBundle: {
            agentReference: components["schemas"]["AgentReference"];
            /**
             * @description Id of the integrator.
             * @example 207
             */
            agentId?: string;
            metadata?: components["schemas"]["Metadata"];
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
        /**
         * @example {
         *       "agentReference": "order-17",
         *       "amount": "1000",
         *       "phone": "08031234567",
         *       "service_type": "ikeja_electric_prepaid",
         *       "account_number": "04042404048"
         *     }
         */
        BuyElectricity: {
            agentReference: components["schemas"]["AgentReference"];
            /**
             * @description Id of the integrator.
             * @example 207
             */
            agentId?: string;
            metadata?: components["schemas"]["Metadata"];
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
        /**
         * @example {
         *       "agentReference": "order-17",
         *       "phone": "08031234567",
         *       "service_type": "jamb",
         *       "account_number": "9678528341",
         *       "product_code": "DE"
         *     }
         */
        BuyExamPin: {
            agentReference: components["schemas"]["AgentReference"];
            /**
             * @description Id of the integrator.
             * @example 207
             */
            agentId?: string;
            metadata?: components["schemas"]["Metadata"];
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
        /**
         * @example {
         *       "agentReference": "order-17",
         *       "service_type": "glo",
         *       "pinValue": "100",
         *       "numberOfPins": 2
         *     }
         */
        BuyPins: {
            agentReference: components["schemas"]["AgentReference"];
            /**
             * @description Id of the integrator.
             * @example 207
             */
            agentId?: string;
            metadata?: components["schemas"]["Metadata"];
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
        /**
         * @example {
         *       "id": 1,
         *       "organization": 1,
         *       "remote_transaction_id": "TX1",
         *       "amount": "1500.0000",
         *       "reversed_amount": "0.0000",
         *       "currency": "BXC",
         *       "account": 1,
         *       "phonenumber": "+80000000000",
         *       "payment_date": "2030-01-31T12:00:00Z",
         *       "reference": null,
         *       "status": "successful",
         *       "created": "2030-01-31T12:00:00Z",
         *       "author": 1,
         *       "modified": "2030-01-31T12:00:00Z",
         *       "updated_by": null,
         *       "contact": {
         *         "id": 1,
         *         "organization": 1,
         *         "first_name": "Jane",
         *         "last_name": "Doe",
         *         "email": null,
         *         "phone_number": "+80000000000",
         *         "type": "employee",
         *         "status": "active",
         *         "metadata": null,
         *         "phone_is_supported": "yes",
         *         "phone_is_mm_registered": "yes",
         *         "name_on_network": "Jane Doe",
         *         "name_matches_network_status": "checked",
         *         "name_matches_network_score": 100,
         *         "network_name": "Sandbox Network",
         *         "created": "2030-01-31T12:00:00Z",
         *         "modified": "2030-01-31T12:00:00Z",
         *         "author": 1,
         *         "updated_by": null
         *       },
         *       "collection_request": null,
         *       "transaction": null
         *     }
         */
        Collection: {
            id: number;
            /** @description Your organization. */
            organization: number;
            /** @description The network operator's own id of the payment. Until the network tells it, our reference of the order, or the network's id of the order. */
            remote_transaction_id: string;
            /** @description The amount that was received. */
            amount: components["schemas"]["Amount"];
            /** @description How much of it the network has taken back. It is all of the amount when the status is `reversed`. */
            reversed_amount: components["schemas"]["Amount"];
            /** @description Three-letter code. */
            currency: string;
            /** @description The wallet that the money is for. */
            account: number;
            /** @description The phone number that paid. */
            phonenumber: string;
            /** @description When the customer paid. */
            payment_date: components["schemas"]["Timestamp"];
            /** @description The reference that the customer typed. */
            reference: string | null;
            /**
             * @description `pending` until your acceptance URL has answered, `failed` if you rejected it, `reversed` if the network took all of the money back. New values may be added.
             * @enum {string}
             */
            status: "pending" | "successful" | "failed" | "reversed";
            created: components["schemas"]["Timestamp"];
            /** @description The user who recorded it, usually the service user. */
            author: number;
            modified: components["schemas"]["Timestamp"];
            /** @description The user who changed it last. */
            updated_by: string | null;
            contact: components["schemas"]["Contact"];
            /** @description The request that it fulfilled, if any. */
            collection_request: components["schemas"]["CollectionRequest"] | null;
            /** @description The transaction that credited it to the wallet; null until then. */
            transaction: {
                id: number;
                /** @description The amount that was credited. */
                amount: components["schemas"]["Amount"];
                /**
                 * @description The type of the transaction.
                 * @constant
                 */
                type: "mobile_collection";
                /** @description Three-letter code. */
                currency: string;
                created: components["schemas"]["Timestamp"];
                /** @description A description in words. */
                description: string;
                /** @description The wallet. */
                account: {
                    id: number;
                    organization: number;
                    currency: string;
                };
                /** @description The transaction that charged the fee, if there was one. */
                fee_transaction: number | null;
            } | null;
        };
        /**
         * @example {
         *       "allocations": [],
         *       "amount_unmatched": "35000.0000",
         *       "pending": []
         *     }
         */
        CollectionAllocations: {
            /** @description What parts of it are for. */
            allocations: components["schemas"]["Allocation"][];
            /** @description How much of it is for nothing yet. */
            amount_unmatched: components["schemas"]["Amount"];
            /** @description What waits for a second manager, because the sum is large. */
            pending: components["schemas"]["PendingMatch"][];
        };
        /**
         * @example {
         *       "id": 1,
         *       "organization": 1,
         *       "amount": "1500.0000",
         *       "currency": "BXC",
         *       "account": 1,
         *       "phonenumber": "+80000000000",
         *       "contact": {
         *         "id": 1,
         *         "organization": 1,
         *         "first_name": "Jane",
         *         "last_name": "Doe",
         *         "email": null,
         *         "phone_number": "+80000000000",
         *         "type": "employee",
         *         "status": "active",
         *         "metadata": null,
         *         "phone_is_supported": "yes",
         *         "phone_is_mm_registered": "yes",
         *         "name_on_network": "Jane Doe",
         *         "name_matches_network_status": "checked",
         *         "name_matches_network_score": 100,
         *         "network_name": "Sandbox Network",
         *         "created": "2030-01-31T12:00:00Z",
         *         "modified": "2030-01-31T12:00:00Z",
         *         "author": 1,
         *         "updated_by": null
         *       },
         *       "reason": "Order 7",
         *       "metadata": {
         *         "order": 7
         *       },
         *       "created": "2030-01-31T12:00:00Z",
         *       "author": 1,
         *       "modified": "2030-01-31T12:00:00Z",
         *       "updated_by": null,
         *       "collection": null,
         *       "success_message": "Thank you, {customer}!",
         *       "send_instructions": true,
         *       "instructions": null,
         *       "status": "pending",
         *       "error_message": null,
         *       "expiry_date": "2030-01-31 12:00:00.000000+00:00",
         *       "start_date": null,
         *       "retry_interval_minutes": null,
         *       "max_attempts": 3,
         *       "subscription_settings": null
         *     }
         */
        CollectionRequest: {
            id: number;
            /** @description Your organization. */
            organization: number;
            /** @description The amount that the customer is asked to pay. */
            amount: components["schemas"]["Amount"];
            /** @description Three-letter code. */
            currency: string;
            /** @description The wallet that receives the money. */
            account: number | null;
            /** @description The phone number of the customer, in E.164. */
            phonenumber: string;
            contact: components["schemas"]["Contact"];
            /** @description The reason; empty when none was given. */
            reason: string;
            /** @description Your own attributes, as you gave them. */
            metadata: {
                [key: string]: unknown;
            };
            created: components["schemas"]["Timestamp"];
            /** @description The user whose key made the request. */
            author: number;
            modified: components["schemas"]["Timestamp"];
            /** @description The user who changed it last. */
            updated_by: string | null;
            /** @description The collection that fulfilled the request. */
            collection: number | null;
            /** @description Text of the SMS to the customer on success. If it is empty, the default text is sent, or nothing without `send_instructions`. */
            success_message: string;
            /** @description Whether the customer gets a prompt or instructions on how to pay. */
            send_instructions: boolean;
            /** @description Text that replaces the usual instructions; `skip` for no SMS. */
            instructions: string | null;
            /**
             * @description The state of the request. New values may be added.
             * @enum {string}
             */
            status: "pending" | "processing_started" | "instructions_sent" | "successful" | "failed" | "expired" | "reversed";
            /** @description Why the request failed. */
            error_message: string | null;
            /** @description When the request expires if it has not been paid. */
            expiry_date: string | null;
            /** @description When the request starts; null if it starts at once. */
            start_date: string | null;
            /** @description Minutes between prompts. */
            retry_interval_minutes: number | null;
            /** @description The maximum number of further prompts. */
            max_attempts: number;
            /** @description The recurrence, as a JSON text of an object; null for a single request. */
            subscription_settings: string | null;
        };
        /**
         * @example {
         *       "suggestions": [
         *         {
         *           "reason": "near_number",
         *           "parts": []
         *         }
         *       ]
         *     }
         */
        CollectionSuggestions: {
            suggestions: components["schemas"]["MatchSuggestion"][];
        };
        /**
         * @example {
         *       "id": 1,
         *       "organization": 1,
         *       "first_name": "Jane",
         *       "last_name": "Doe",
         *       "email": null,
         *       "phone_number": "+80000000000",
         *       "type": "employee",
         *       "status": "active",
         *       "metadata": null,
         *       "phone_is_supported": "yes",
         *       "phone_is_mm_registered": "yes",
         *       "name_on_network": "Jane Doe",
         *       "name_matches_network_status": "checked",
         *       "name_matches_network_score": 100,
         *       "network_name": "Sandbox Network",
         *       "created": "2030-01-31T12:00:00Z",
         *       "modified": "2030-01-31T12:00:00Z",
         *       "author": 1,
         *       "updated_by": null
         *     }
         */
        Contact: {
            id: number;
            /** @description Your organization. */
            organization: number;
            /** @description `Anonymous` until a name is given. */
            first_name: string;
            /** @description `Contact` until a name is given. */
            last_name: string;
            /** @description E-mail address. */
            email: string | null;
            /** @description E.164; one contact for each number. */
            phone_number: string;
            /** @description `employee`, `beneficiary`, `vendor` or `other`. */
            type: string;
            /** @description `active` or `inactive`. */
            status: string;
            /** @description Your own attributes. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description `yes` when a network serves the number. */
            phone_is_supported: string;
            /** @description Whether the number has mobile money: `yes`, `no`, or `unknown` until the network responds. */
            phone_is_mm_registered: string;
            /** @description The name that the network knows; empty until the network responds. */
            name_on_network: string;
            /** @description `checked` after the two names were compared, else `unchecked`. */
            name_matches_network_status: string;
            /** @description How similar the two names are, 0 to 100. */
            name_matches_network_score: number;
            /** @description The network that serves the number. */
            network_name: string;
            created: components["schemas"]["Timestamp"];
            modified: components["schemas"]["Timestamp"];
            /** @description The user who created the contact. */
            author: number;
            /** @description The user who changed it last. */
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
            metadata?: components["schemas"]["Metadata"];
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
        /**
         * @example {
         *       "id": 1,
         *       "organization": 1,
         *       "first_name": "Jane",
         *       "last_name": "Doe",
         *       "email": null,
         *       "phone_number": "+80000000000",
         *       "type": "employee",
         *       "status": "active",
         *       "metadata": null,
         *       "phone_is_supported": "yes",
         *       "phone_is_mm_registered": "yes",
         *       "name_on_network": "Jane Doe",
         *       "name_matches_network_status": "checked",
         *       "name_matches_network_score": 100,
         *       "network_name": "Sandbox Network",
         *       "created": "2030-01-31T12:00:00Z",
         *       "modified": "2030-01-31T12:00:00Z",
         *       "author": 1,
         *       "updated_by": null,
         *       "national_id": null,
         *       "national_id_type": null,
         *       "number": null,
         *       "tags": [
         *         "P5"
         *       ],
         *       "notes": "",
         *       "payers": []
         *     }
         */
        ContactDetails: {
            id: number;
            /** @description Your organization. */
            organization: number;
            /** @description `Anonymous` until a name is given. */
            first_name: string;
            /** @description `Contact` until a name is given. */
            last_name: string;
            /** @description E-mail address. */
            email: string | null;
            /** @description E.164; empty for a customer without a phone. */
            phone_number: string;
            /** @description `employee`, `beneficiary`, `vendor` or `other`. */
            type: string;
            /** @description `active` or `inactive`. */
            status: string;
            /** @description Your own attributes. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description `yes` when a network serves the number. */
            phone_is_supported: string;
            /** @description Whether the number has mobile money: `yes`, `no`, or `unknown` until the network responds. */
            phone_is_mm_registered: string;
            /** @description The name that the network knows; empty until the network responds. */
            name_on_network: string;
            /** @description `checked` after the two names were compared, else `unchecked`. */
            name_matches_network_status: string;
            /** @description How similar the two names are, 0 to 100. */
            name_matches_network_score: number;
            /** @description The network that serves the number. */
            network_name: string;
            created: components["schemas"]["Timestamp"];
            modified: components["schemas"]["Timestamp"];
            /** @description The user who created the contact. */
            author: number;
            /** @description The user who changed it last. */
            updated_by: number | null;
            /** @description Number of an identity document. */
            national_id: string | null;
            /** @description Type of the document. */
            national_id_type: ("passport" | "military" | "national") | null;
            /** @description The customer number, which payers type; unique. */
            number: string | null;
            /** @description Groups of customers, such as a class or a route. */
            tags: string[];
            /** @description Your own text about the customer. */
            notes: string;
            /** @description Who else pays for the customer; the first is asked if it has no phone. */
            payers: components["schemas"]["ContactPayer"][];
        };
        /**
         * @example {
         *       "credit": [],
         *       "unmatched": []
         *     }
         */
        ContactMoney: {
            /** @description Credit of the customer, the oldest first. It pays the next invoice. */
            credit: components["schemas"]["Credit"][];
            /** @description Unmatched money from the phones of the customer, newest first. */
            unmatched: components["schemas"]["PhoneMoney"][];
        };
        /**
         * @example {
         *       "phone_number": "+80000000009",
         *       "name": "Grace Nakato"
         *     }
         */
        ContactPayer: {
            /** @description E.164. */
            phone_number: string;
            /** @description Who it is; may be empty. */
            name: string;
        };
        Country: {
            /** @description ISO 3166-1, two letters. */
            iso: string;
            /** @description ISO 3166-1, three letters. */
            iso3: string;
            /** @description ISO 3166-1, numeric. */
            iso_numeric: number;
            /** @description Name in capitals. */
            name: string;
            /** @description Name in ordinary spelling. */
            printable_name: string;
            /** @description Calling code without the plus sign. */
            phone_prefix: string;
            /** @description Whether money can be collected here. */
            supported: boolean;
        };
        /**
         * @example {
         *       "allocation": 7,
         *       "collection": 12,
         *       "currency": "BXC",
         *       "amount": "15000.0000",
         *       "created": "2030-01-31T12:00:00Z"
         *     }
         */
        Credit: {
            /** @description The allocation that made it credit. */
            allocation: number;
            /** @description The payment. */
            collection: number;
            /** @description Three-letter code. */
            currency: string;
            /** @description What is left of it. */
            amount: components["schemas"]["Amount"];
            created: components["schemas"]["Timestamp"];
        };
        /**
         * @example {
         *       "id": 3,
         *       "customer_number": "P5-017",
         *       "currency": "BXC",
         *       "amount": "15000.0000",
         *       "balance": "15000.0000",
         *       "collection": 12,
         *       "invoice": null
         *     }
         */
        CreditChange: {
            /** @description The customer. */
            id: number;
            /** @description Its customer number; null for none. */
            customer_number: string | null;
            /** @description Three-letter code. */
            currency: string;
            /** @description The amount added to the account; negative when it was used, moved, refunded or taken back. */
            amount: components["schemas"]["Amount"];
            /** @description The credit of the customer in this currency afterwards. */
            balance: components["schemas"]["Amount"];
            /** @description The payment whose money it is. */
            collection: number;
            /** @description The invoice that the credit has paid, or that the money was for before; null for none. */
            invoice: number | null;
        };
        /**
         * @example {
         *       "id": 1,
         *       "name": "Ugandan Shilling",
         *       "code": "UGX",
         *       "country": {
         *         "iso": "UG",
         *         "iso3": "UGA",
         *         "iso_numeric": 800,
         *         "name": "UGANDA",
         *         "printable_name": "Uganda",
         *         "phone_prefix": "256",
         *         "supported": true
         *       },
         *       "usd_rate": 3560
         *     }
         */
        Currency: {
            id: number;
            /** @description Name of the currency. */
            name: string;
            /** @description Three-letter code. */
            code: string;
            country: components["schemas"]["Country"];
            /** @description Units of the currency for one US dollar. */
            usd_rate: number;
        };
        /**
         * @example {
         *       "contact": 3,
         *       "customer_number": "P5-0012",
         *       "customer_name": "Jane Doe",
         *       "currency": "UGX",
         *       "currencies": [
         *         "UGX"
         *       ],
         *       "first_day": "2030-01-01",
         *       "last_day": "2030-01-31",
         *       "zone": "Africa/Kampala",
         *       "opening_balance": "0.0000",
         *       "entries": [],
         *       "charged_amount": "200000.0000",
         *       "credited_amount": "85000.0000",
         *       "closing_balance": "115000.0000",
         *       "open_amount": "115000.0000",
         *       "credit_amount": "0.0000",
         *       "unmatched_amount": "0.0000"
         *     }
         */
        CustomerStatement: {
            /** @description The customer. */
            contact: number;
            /** @description The customer number. */
            customer_number: string | null;
            /** @description The name of the customer; empty if it is not known. */
            customer_name: string;
            /** @description Three-letter code. */
            currency: string;
            /** @description The currencies in which the customer has an account. */
            currencies: string[];
            /** @description The first day, in the time zone of the organization. */
            first_day: string;
            /** @description The last day. */
            last_day: string;
            /** @description The time zone of the organization. */
            zone: string;
            /** @description What the customer owed before the first day; negative for credit. */
            opening_balance: components["schemas"]["Amount"];
            /** @description What happened, the oldest first. */
            entries: components["schemas"]["StatementEntry"][];
            /** @description The sum of what is owed more. */
            charged_amount: components["schemas"]["Amount"];
            /** @description The sum of what is owed less. */
            credited_amount: components["schemas"]["Amount"];
            /** @description What the customer owed after the last day; negative for credit. */
            closing_balance: components["schemas"]["Amount"];
            /** @description What the open invoices asked for after the last day. */
            open_amount: components["schemas"]["Amount"];
            /** @description Credit, and what was paid too much, after the last day. */
            credit_amount: components["schemas"]["Amount"];
            /** @description Money from the phones of the customer that is for nothing yet, now. It is not a part of the balance. */
            unmatched_amount: components["schemas"]["Amount"];
        };
        /**
         * @example {
         *       "name": "1.5GB 1-Month Mobile - 1000 Naira - Monthly",
         *       "allowance": "1.5GB",
         *       "price": 1500,
         *       "validity": "Monthly",
         *       "datacode": "1000"
         *     }
         */
        DataBundle: {
            /** @description Display name. */
            name: string;
            /** @description Amount of data. */
            allowance: string | null;
            /** @description Price of the bundle. */
            price: string;
            /** @description Period of validity. */
            validity: string | null;
            /** @description Code of the bundle in a purchase. */
            datacode: string;
        };
        Detail: {
            /**
             * @description What is wrong, in words.
             * @example Not found.
             */
            detail: string;
        };
        /**
         * @description The last day to pay: YYYY-MM-DD, DD/MM/YYYY, `28 February`, or a time from now such as `14 days`. Default: 14 days.
         * @example 14 days
         */
        DueDate: string;
        DuplicateRefusal: {
            /**
             * @description What is wrong, in words.
             * @example Duplicate Request Detected!
             */
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
        /**
         * @example {
         *       "id": 1,
         *       "organization": 1,
         *       "type": "collection.received",
         *       "data": {
         *         "id": 12
         *       },
         *       "created": "2030-01-31T12:00:00Z",
         *       "author": 1,
         *       "modified": "2030-01-31T12:00:00Z",
         *       "updated_by": null
         *     }
         */
        Event: {
            id: number;
            /** @description Your organization. */
            organization: number;
            /** @description What happened. */
            type: string;
            /** @description The object as it was when it happened. */
            data: {
                [key: string]: unknown;
            };
            created: components["schemas"]["Timestamp"];
            /** @description The user who caused it. */
            author: number;
            modified: components["schemas"]["Timestamp"];
            /** @description The user who changed it last. */
            updated_by: string | null;
        };
        /**
         * @example {
         *       "id": 7,
         *       "amount": 1500,
         *       "product_code": "DE"
         *     }
         */
        ExamProduct: {
            /** @description Id of the product. */
            id: number;
            /** @description Price of the product. */
            amount: string;
            /** @description Code in a purchase. */
            product_code: string;
        };
        /** @description Every invalid field with its messages. Messages about no single field are in `non_field_errors`. */
        FieldErrors: {
            [key: string]: string[];
        };
        /**
         * @example {
         *       "service_type": "jamb",
         *       "account_number": "9678528341"
         *     }
         */
        FindName: {
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
        /**
         * @example {
         *       "id": 1,
         *       "organization": 1,
         *       "number": "INV-000012",
         *       "url": "https://pay.example.com/pay/invoices/3q2-7wAAAAAAAAAA",
         *       "pdf_url": null,
         *       "state": "issued",
         *       "overdue": false,
         *       "contact": 3,
         *       "customer_name": "Jane Doe",
         *       "customer_number": "P5-017",
         *       "tags": [
         *         "P5"
         *       ],
         *       "phonenumber": "+80000000000",
         *       "currency": "BXC",
         *       "account": null,
         *       "lines": [],
         *       "taxes": [],
         *       "subtotal": "1500.0000",
         *       "total": "1770.0000",
         *       "amount_paid": "0.0000",
         *       "amount_open": "1770.0000",
         *       "amount_reversed": "0.0000",
         *       "amount_refunded": "0.0000",
         *       "min_part": "500.0000",
         *       "due_date": "2030-02-14",
         *       "notes": "Thank you.",
         *       "language": "en",
         *       "reminder_days": [
         *         -3,
         *         0,
         *         7
         *       ],
         *       "reminder_prompts": false,
         *       "next_reminder": null,
         *       "sends": [],
         *       "reminders": [],
         *       "requests": [],
         *       "allocations": [],
         *       "waiting_money": [],
         *       "issued": null,
         *       "paid": null,
         *       "voided": null,
         *       "void_reason": "",
         *       "created": "2030-01-31T12:00:00Z",
         *       "author": 1,
         *       "modified": "2030-01-31T12:00:00Z",
         *       "updated_by": null
         *     }
         */
        Invoice: {
            id: number;
            /** @description Your organization. */
            organization: number;
            /** @description Without gaps for each organization; null for a draft. */
            number: string | null;
            /** @description The page for the customer; null for a draft. */
            url: string | null;
            /** @description The same as PDF; null for a draft. */
            pdf_url: string | null;
            /**
             * @description Drafts can be changed; issued ones can only be voided.
             * @enum {string}
             */
            state: "draft" | "issued" | "paid" | "void";
            /** @description Whether it is issued and its due date is over. */
            overdue: boolean;
            /** @description The customer. */
            contact: number;
            /** @description The name of the customer; empty if it is not known. */
            customer_name: string;
            /** @description The number of the customer; null for none. */
            customer_number: string | null;
            /** @description The tags of the customer, such as a class. */
            tags: string[];
            /** @description The phone number of the customer, or of the first who pays for a customer without one; empty for none. */
            phonenumber: string;
            /** @description Three-letter code. */
            currency: string;
            /** @description The wallet that receives the money; null for the local one. */
            account: number | null;
            /** @description What is sold. */
            lines: components["schemas"]["InvoiceLine"][];
            /** @description The tax of each rate. */
            taxes: components["schemas"]["InvoiceTax"][];
            /** @description The sum of the lines, without tax. */
            subtotal: components["schemas"]["Amount"];
            /** @description What is to be paid: the subtotal and the taxes. */
            total: components["schemas"]["Amount"];
            /** @description What arrived and was not taken back by the network. */
            amount_paid: components["schemas"]["Amount"];
            /** @description What is still to be paid; zero for drafts and void ones. */
            amount_open: components["schemas"]["Amount"];
            /** @description What networks took back. */
            amount_reversed: components["schemas"]["Amount"];
            /** @description What was refunded. It is not asked for again. */
            amount_refunded: components["schemas"]["Amount"];
            /** @description The least that its page takes as a part; null: its page takes the open amount only. */
            min_part: components["schemas"]["Amount"] | null;
            /** @description The last day to pay, in the time zone of the organization. */
            due_date: string;
            /** @description Text below the lines. */
            notes: string;
            /**
             * @description The language of the customer.
             * @enum {string}
             */
            language: "en" | "sw" | "fr";
            /** @description Reminders, in days after the due date; negative before. */
            reminder_days: number[];
            /** @description Whether reminders also request the open amount. */
            reminder_prompts: boolean;
            /** @description When the next reminder is due; null for none. */
            next_reminder: components["schemas"]["Timestamp"] | null;
            /** @description To whom it was sent, newest first. */
            sends: {
                /**
                 * @description How it was sent.
                 * @enum {string}
                 */
                channel: "sms" | "email";
                /** @description The phone number or e-mail address. */
                recipient: string;
                /**
                 * @description `delivered`: the phone has it. For e-mail, `sent`: the mail server has taken it.
                 * @enum {string}
                 */
                state: "waiting" | "sent" | "delivered" | "failed" | "unknown";
                created: components["schemas"]["Timestamp"];
            }[];
            /** @description The reminders, newest first. */
            reminders: components["schemas"]["InvoiceReminder"][];
            /** @description Its collection requests, newest first. */
            requests: components["schemas"]["InvoiceRequest"][];
            /** @description Money for it that no request asked for, newest first. */
            allocations: components["schemas"]["InvoiceAllocation"][];
            /** @description Money of the customer that matches nothing yet. While there is some, no reminder and no prompt is sent. */
            waiting_money: components["schemas"]["InvoiceWaitingMoney"][];
            /** @description When it was issued. */
            issued: components["schemas"]["Timestamp"] | null;
            /** @description When the sum was reached last. */
            paid: components["schemas"]["Timestamp"] | null;
            /** @description When it was voided. */
            voided: components["schemas"]["Timestamp"] | null;
            /** @description Why it was voided. */
            void_reason: string;
            created: components["schemas"]["Timestamp"];
            /** @description The user who made it, and the author of its requests. */
            author: number;
            modified: components["schemas"]["Timestamp"];
            /** @description The user who changed it last. */
            updated_by: string | null;
        };
        /**
         * @example {
         *       "id": 1,
         *       "collection": 1,
         *       "reason": "invoice_number",
         *       "note": "",
         *       "author": null,
         *       "created": "2030-01-31T12:00:00Z",
         *       "amount_paid": "85000.0000",
         *       "amount_reversed": "0.0000",
         *       "amount_refunded": "0.0000"
         *     }
         */
        InvoiceAllocation: {
            id: number;
            /** @description The money. */
            collection: number;
            /**
             * @description Why: `invoice_number`, `link_number`, `customer_number`: the payer typed it. `same_amount`: the only open invoice of the customer with this amount. `only_customer`: the phone pays for this customer only. `surplus`: more than was open. `credit`: credit of the customer. `person`: a person chose it.
             * @enum {string}
             */
            reason: "invoice_number" | "link_number" | "customer_number" | "same_amount" | "only_customer" | "surplus" | "credit" | "person";
            /** @description What the person wrote. */
            note: string;
            /** @description The person; null for the service. */
            author: number | null;
            created: components["schemas"]["Timestamp"];
            /** @description What arrived and was not taken back by the network. */
            amount_paid: components["schemas"]["Amount"];
            /** @description What the network took back. */
            amount_reversed: components["schemas"]["Amount"];
            /** @description What was refunded or is being refunded. */
            amount_refunded: components["schemas"]["Amount"];
        };
        /**
         * @example {
         *       "id": 1,
         *       "source": "tag",
         *       "name": "P5",
         *       "duplicates": "skip",
         *       "issue": true,
         *       "rows": 120,
         *       "refused": 0,
         *       "skipped": 3,
         *       "made": 117,
         *       "created": "2030-01-31T12:00:00Z",
         *       "author": 1,
         *       "author_name": "Jane Doe",
         *       "finished": "2030-01-31T12:00:00Z"
         *     }
         */
        InvoiceBatch: {
            id: number;
            /**
             * @description `file`: from a file. `tag`: for all customers with a tag.
             * @enum {string}
             */
            source: "file" | "tag";
            /** @description The name of the file, or the tag. */
            name: string;
            /**
             * @description What happened where the customer had a draft or an open invoice with the same text and amount.
             * @enum {string}
             */
            duplicates: "skip" | "create";
            /** @description Whether its invoices were issued at once; otherwise they are drafts. */
            issue: boolean;
            /** @description Rows of the file, or customers with the tag. */
            rows: number;
            /** @description Rows of the file that were refused. */
            refused: number;
            /** @description Invoices that were not made, because the customer has the same already. */
            skipped: number;
            /** @description Invoices that were made. */
            made: number;
            created: components["schemas"]["Timestamp"];
            /** @description The user who made it. */
            author: number;
            /** @description The name of this user. */
            author_name: string;
            /** @description When its last invoice was made. Null while it is running, and if it was interrupted: the same call goes on. */
            finished: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @example {
         *       "contact": 1,
         *       "customer_number": "P5-017",
         *       "name": "Jane Doe",
         *       "invoice": 12,
         *       "number": "INV-000012"
         *     }
         */
        InvoiceBatchDuplicate: {
            /** @description The customer. */
            contact: number;
            /** @description The number of the customer. */
            customer_number: string | null;
            /** @description The name of the customer. */
            name: string;
            /** @description The draft or open invoice with the same text and amount. */
            invoice: number;
            /** @description Its number; null for a draft. */
            number: string | null;
        };
        /**
         * @example {
         *       "tag": "P5",
         *       "due_date": "2030-02-28",
         *       "customers": 120,
         *       "without_phone": 2,
         *       "all": [],
         *       "without_duplicates": [],
         *       "duplicates": []
         *     }
         */
        InvoiceBatchPreview: {
            /** @description The tag. */
            tag: string;
            /** @description The last day to pay. */
            due_date: string;
            /** @description How many customers have the tag. */
            customers: number;
            /** @description How many of them cannot be reminded, because nobody has a phone. */
            without_phone: number;
            /** @description If all of them get one. */
            all: components["schemas"]["InvoiceBatchSum"][];
            /** @description If those who have the same already get none. */
            without_duplicates: components["schemas"]["InvoiceBatchSum"][];
            /** @description Who has the same already. */
            duplicates: components["schemas"]["InvoiceBatchDuplicate"][];
        };
        /**
         * @example {
         *       "currency": "UGX",
         *       "invoices": 117,
         *       "total": "99450000.0000"
         *     }
         */
        InvoiceBatchSum: {
            /** @description Three-letter code. */
            currency: string;
            /** @description How many. */
            invoices: number;
            /** @description Their totals together. */
            total: components["schemas"]["Amount"];
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
            phonenumber?: components["schemas"]["PhoneNumber"];
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
            due_date?: components["schemas"]["DueDate"];
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
            reminder_days?: components["schemas"]["ReminderDays"];
            /**
             * @description Whether a reminder also requests the open amount with a prompt. Default false.
             * @example false
             */
            reminder_prompts?: boolean;
        };
        /**
         * @example {
         *       "contact": 1,
         *       "customer_number": "P5-017",
         *       "name": "Jane Doe",
         *       "phonenumber": "+80000000000",
         *       "currency": "UGX",
         *       "invoiced": "850000.0000",
         *       "paid": "400000.0000",
         *       "open": "450000.0000",
         *       "invoices": 1,
         *       "state": "part",
         *       "overdue": false
         *     }
         */
        InvoiceCustomerSum: {
            /** @description The customer. */
            contact: number;
            /** @description The number of the customer. */
            customer_number: string | null;
            /** @description The name of the customer. */
            name: string;
            /** @description The phone, or that of the first who pays; empty for none. */
            phonenumber: string;
            /** @description Three-letter code; null without invoices. */
            currency: string | null;
            /** @description The totals of the issued invoices, without void ones. */
            invoiced: components["schemas"]["Amount"];
            /** @description What arrived for them. */
            paid: components["schemas"]["Amount"];
            /** @description What is still to be paid. */
            open: components["schemas"]["Amount"];
            /** @description Issued invoices, without void ones. */
            invoices: number;
            /**
             * @description `none`: no issued invoice. `part`: something is paid, and not all.
             * @enum {string}
             */
            state: "none" | "unpaid" | "part" | "paid";
            /** @description Whether one of them is overdue. */
            overdue: boolean;
        };
        InvoiceFilter: {
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
         * @example {
         *       "invoice": 1,
         *       "number": null,
         *       "message": "The due date is over. Change it first."
         *     }
         */
        InvoiceLeftOut: {
            /** @description The invoice. */
            invoice: number;
            /** @description Its number; null for a draft. */
            number: string | null;
            /** @description Why nothing was done with it. */
            message: string;
        };
        /**
         * @example {
         *       "text": "Consulting",
         *       "quantity": "2.0000",
         *       "unit_price": "750.0000",
         *       "tax_rate": "18.0000",
         *       "amount": "1500.0000"
         *     }
         */
        InvoiceLine: {
            /** @description What is sold. */
            text: string;
            /** @description How much of it. */
            quantity: components["schemas"]["Amount"];
            /** @description The price of one, without tax; negative for a discount. */
            unit_price: components["schemas"]["Amount"];
            /** @description In percent; null for none. */
            tax_rate: components["schemas"]["Amount"] | null;
            /** @description Quantity times price, without tax. */
            amount: components["schemas"]["Amount"];
        };
        /**
         * @example {
         *       "day": "2030-02-14",
         *       "sms_message": 7,
         *       "collection_request": null,
         *       "problem": null,
         *       "created": "2030-01-31T12:00:00Z"
         *     }
         */
        InvoiceReminder: {
            /** @description The day in the time zone of the organization. */
            day: string;
            /** @description The SMS; null for none. */
            sms_message: number | null;
            /** @description The request for the open amount; null for none. */
            collection_request: number | null;
            /** @description Why no SMS or no request was made; null for no problem. */
            problem: string | null;
            created: components["schemas"]["Timestamp"];
        };
        /**
         * @example {
         *       "id": 1,
         *       "source": "page",
         *       "status": "successful",
         *       "phonenumber": "+80000000000",
         *       "amount": "1770.0000",
         *       "collection": 12,
         *       "amount_paid": "1770.0000",
         *       "amount_reversed": "0.0000",
         *       "amount_refunded": "0.0000",
         *       "paid": "2030-01-31T12:00:00Z",
         *       "created": "2030-01-31T12:00:00Z"
         *     }
         */
        InvoiceRequest: {
            id: number;
            /**
             * @description `page`: the customer paid on the page. `reminder`: a reminder. `manual`: you asked for it.
             * @enum {string}
             */
            source: "page" | "reminder" | "manual";
            /** @description The status of the collection request. */
            status: string;
            /** @description The phone number that is asked. */
            phonenumber: string;
            /** @description What was asked for. */
            amount: components["schemas"]["Amount"];
            /** @description The payment; null until it arrives. */
            collection: number | null;
            /** @description What arrived and was not taken back by the network. */
            amount_paid: components["schemas"]["Amount"];
            /** @description What the network took back. */
            amount_reversed: components["schemas"]["Amount"];
            /** @description What was refunded or is being refunded. */
            amount_refunded: components["schemas"]["Amount"];
            /** @description When the money arrived; null until it does. */
            paid: components["schemas"]["Timestamp"] | null;
            created: components["schemas"]["Timestamp"];
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
            filter?: components["schemas"]["InvoiceFilter"];
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
            filter?: components["schemas"]["InvoiceFilter"];
            /**
             * @description Why, in own words; it is kept.
             * @example Wrong price
             */
            reason?: string;
        };
        /**
         * @example {
         *       "tag": "P5",
         *       "currency": "UGX",
         *       "invoiced": "850000.0000",
         *       "paid": "400000.0000",
         *       "open": "450000.0000",
         *       "invoices": 120,
         *       "drafts": 0,
         *       "unpaid_invoices": 60,
         *       "part_invoices": 20,
         *       "paid_invoices": 40,
         *       "overdue_invoices": 5
         *     }
         */
        InvoiceTagSum: {
            /** @description The tag, such as a class; null for customers without one. */
            tag: string | null;
            /** @description Three-letter code; null without invoices. */
            currency: string | null;
            /** @description The totals of the issued invoices, without void ones. */
            invoiced: components["schemas"]["Amount"];
            /** @description What arrived for them. */
            paid: components["schemas"]["Amount"];
            /** @description What is still to be paid. */
            open: components["schemas"]["Amount"];
            /** @description Issued invoices, without void ones. */
            invoices: number;
            /** @description Drafts, which are in no other figure. */
            drafts: number;
            /** @description Nothing of them is paid. */
            unpaid_invoices: number;
            /** @description A part of them is paid. */
            part_invoices: number;
            /** @description All of them is paid. */
            paid_invoices: number;
            /** @description Their due date is over, and they are not paid. */
            overdue_invoices: number;
        };
        /**
         * @example {
         *       "rate": "18.0000",
         *       "net": "1500.0000",
         *       "amount": "270.0000"
         *     }
         */
        InvoiceTax: {
            /** @description In percent. */
            rate: components["schemas"]["Amount"];
            /** @description The sum of the lines with this rate. */
            net: components["schemas"]["Amount"];
            /** @description The tax. */
            amount: components["schemas"]["Amount"];
        };
        /**
         * @example {
         *       "collection": 12,
         *       "phonenumber": "+80000000000",
         *       "reference": "INV 12",
         *       "amount": "85000.0000",
         *       "paid": "2030-01-31T12:00:00Z"
         *     }
         */
        InvoiceWaitingMoney: {
            /** @description The payment. */
            collection: number;
            /** @description The phone number that paid. */
            phonenumber: string;
            /** @description What the payer typed. */
            reference: string | null;
            /** @description How much of it is for nothing yet. */
            amount: components["schemas"]["Amount"];
            paid: components["schemas"]["Timestamp"];
        };
        /**
         * @example {
         *       "done": 4,
         *       "left_out": []
         *     }
         */
        InvoicesDone: {
            /** @description With how many invoices it was done. */
            done: number;
            /** @description The others, each with the reason. */
            left_out: components["schemas"]["InvoiceLeftOut"][];
        };
        /**
         * @example {
         *       "service_type": "dstv",
         *       "product_code": "COMPE36"
         *     }
         */
        ListAddons: {
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
        /**
         * @example {
         *       "service_type": "epin"
         *     }
         */
        ListBillServicesOfCategory: {
            /**
             * @description Code of the category.
             * @example epin
             */
            service_type: string;
        };
        /**
         * @example {
         *       "service_type": "dstv"
         *     }
         */
        ListBouquets: {
            /**
             * @description Service type of the provider.
             * @example dstv
             */
            service_type: string;
        };
        /**
         * @example {
         *       "service_type": "mtn"
         *     }
         */
        ListDataBundles: {
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
        /**
         * @example {
         *       "service_type": "jamb"
         *     }
         */
        ListExamProductsByPost: {
            /**
             * @description Service type of the provider.
             * @example jamb
             */
            service_type: string;
        };
        /**
         * @example {
         *       "service_type": "glo"
         *     }
         */
        ListPinBundles: {
            /**
             * @description Service type of the provider.
             * @example glo
             */
            service_type: string;
        };
        MatchSuggestion: {
            /**
             * @description `named`: the payer typed its number, and others, or the money does not fit. `near_number`: the number differs by one digit. `same_phone`: the phone pays for this customer. `same_name`: the payer has the name of the customer. `same_amount`: an open invoice has this amount. `adds_up`: the open amounts together are this amount. `near_amount`: an open request of the phone asks for another amount.
             * @enum {string}
             */
            reason: "named" | "near_number" | "same_phone" | "same_name" | "same_amount" | "adds_up" | "near_amount";
            /** @description What the money would be for; several parts split it. */
            parts: {
                /** @description The invoice. */
                invoice: number | null;
                /** @description The customer: owner of the invoice, or whose credit it would be. */
                contact: number | null;
                /** @description The open request. */
                collection_request: number | null;
                /** @description The number of the invoice, or of the customer; empty for a request. */
                number: string;
                /** @description The name of the customer. */
                name: string;
                /** @description The number of the customer; null for none. */
                customer_number: string | null;
                /** @description How much of the money it would get. */
                amount: components["schemas"]["Amount"];
                /** @description What is asked for; null for a customer. */
                asked: components["schemas"]["Amount"] | null;
            }[];
        };
        /**
         * @example {
         *       "overpayment": "credit",
         *       "unknown_number": "accept"
         *     }
         */
        MatchingSettings: {
            /**
             * @description More money than an invoice asks for: `keep` leaves it unmatched, `credit` puts it on the account of the customer, where it pays the next invoice, `return` sends it back.
             * @enum {string}
             */
            overpayment: "keep" | "credit" | "return";
            /**
             * @description The answer to a network that asks before it takes money, where the payer typed a number that is not known.
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
        /**
         * @description Custom attributes, as an object or a JSON text of one. `the service` is also accepted as the name.
         * @example {
         *       "order": 7
         *     }
         */
        Metadata: Record<string, unknown> | string;
        NearMoney: {
            /** @description The payment. */
            collection: number;
            /** @description The phone number that paid. */
            phonenumber: string;
            /** @description What the payer typed. */
            reference: string | null;
            /** @description Three-letter code. */
            currency: string;
            /** @description How much of it is for nothing yet. */
            amount: components["schemas"]["Amount"];
            paid: components["schemas"]["Timestamp"];
            /** @description How much more it is than the request asks for; negative: less. */
            difference: components["schemas"]["Amount"];
        };
        /**
         * @example {
         *       "id": 1,
         *       "code": "sandbox",
         *       "name": "Sandbox Network",
         *       "country": {
         *         "iso": "UG",
         *         "iso3": "UGA",
         *         "iso_numeric": 800,
         *         "name": "UGANDA",
         *         "printable_name": "Uganda",
         *         "phone_prefix": "256",
         *         "supported": true
         *       },
         *       "phone_regex": "^\\+256\\d{9}$"
         *     }
         */
        Network: {
            id: number;
            /** @description Value for the filter `network` of the lists. */
            code: string;
            /** @description Name of the network. */
            name: string;
            country: components["schemas"]["Country"];
            /** @description Pattern of its phone numbers, in E.164. */
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
            phonenumber: components["schemas"]["PhoneNumber"];
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
            metadata?: components["schemas"]["Metadata"];
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
            /** @description With the country code. A customer with a number may have none. */
            phone_number?: components["schemas"]["PhoneNumber"];
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
            metadata?: components["schemas"]["Metadata"];
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
            phone_number: components["schemas"]["PhoneNumber"];
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
            phonenumber?: components["schemas"]["PhoneNumber"];
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
            due_date?: components["schemas"]["DueDate"];
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
            reminder_days?: components["schemas"]["ReminderDays"];
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
            due_date?: components["schemas"]["DueDate"];
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
            reminder_days?: components["schemas"]["ReminderDays"];
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
        /**
         * @example {
         *       "amount": "500",
         *       "phonenumber": "+80000000000"
         *     }
         */
        NewInvoiceCollection: {
            /**
             * @description At most what is open. Default: all of it.
             * @example 500
             */
            amount?: string;
            /** @description Who is asked. Default: the customer. */
            phonenumber?: components["schemas"]["PhoneNumber"];
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
        /**
         * @example {
         *       "reason": "Wrong price"
         *     }
         */
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
            phonenumber?: components["schemas"]["PhoneNumber"];
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
            metadata?: components["schemas"]["Metadata"];
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
        /**
         * @example {
         *       "comment": "The customer asked on the phone."
         *     }
         */
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
        /**
         * @example {
         *       "comment": "The customer asked on the phone.",
         *       "expiry_date": "24 hours"
         *     }
         */
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
        /**
         * @example {
         *       "event": "payment.status.changed",
         *       "target": "https://shop.example/notifications"
         *     }
         */
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
        /**
         * @example {
         *       "count": 42,
         *       "next": null,
         *       "previous": null
         *     }
         */
        Page: {
            /** @description Number of items on all pages together. */
            count: number;
            /** @description URL of the next page, or null. */
            next: string | null;
            /** @description URL of the previous page, or null. */
            previous: string | null;
        };
        /**
         * @example {
         *       "id": 1,
         *       "organization": 1,
         *       "payment_type": "money",
         *       "amount": "1500.0000",
         *       "currency": "BXC",
         *       "account": 1,
         *       "description": "Wages",
         *       "phone_nos": [
         *         {
         *           "phonenumber": "+80000000003",
         *           "amount": "1500.0000",
         *           "reversed_amount": "0.0000",
         *           "state": "new",
         *           "last_error": null,
         *           "contact": 1,
         *           "batch_id": null,
         *           "description": "Wages",
         *           "payment_id": 1,
         *           "remote_transaction_id": null,
         *           "metadata": {}
         *         }
         *       ],
         *       "start_date": "2030-01-31T12:00:00Z",
         *       "metadata": {
         *         "run": 7
         *       },
         *       "state": "new",
         *       "last_error": null,
         *       "approvals_required": 0,
         *       "approvals": 0,
         *       "approved_by": null,
         *       "approved_time": null,
         *       "rejected_reason": null,
         *       "rejected_by": null,
         *       "rejected_time": null,
         *       "cancelled_reason": null,
         *       "cancelled_by": null,
         *       "cancelled_time": null,
         *       "created": "2030-01-31T12:00:00Z",
         *       "author": 1,
         *       "modified": "2030-01-31T12:00:00Z",
         *       "updated_by": null,
         *       "remote_transaction_id": null,
         *       "send_sms_message": false,
         *       "charged_fee": "0.0000",
         *       "transactions": [
         *         {
         *           "id": 1,
         *           "account": 1,
         *           "amount": "1500.0000",
         *           "currency": "BXC",
         *           "description": "Collection 12",
         *           "created": "2030-01-31T12:00:00Z",
         *           "type": "mobile_collection"
         *         }
         *       ]
         *     }
         */
        Payment: {
            id: number;
            /** @description Your organization. */
            organization: number;
            /**
             * @description What is sent.
             * @enum {string}
             */
            payment_type: "money" | "airtime";
            /** @description The sum of what all recipients get. */
            amount: components["schemas"]["Amount"];
            /** @description Three-letter code. */
            currency: string;
            /** @description The wallet that pays. */
            account: number;
            /** @description Purpose of the payment. */
            description: string;
            /** @description The recipients. */
            phone_nos: components["schemas"]["PaymentPhone"][];
            /** @description When the payment is sent. Default: when it was made. */
            start_date: components["schemas"]["Timestamp"];
            /** @description Your own attributes, as you sent them. */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * @description State of the payment. New values may be added.
             * @enum {string}
             */
            state: "new" | "validated" | "approval_needed" | "approval_requested" | "approved" | "rejected" | "scheduled" | "processed" | "processed_with_errors" | "cancelled";
            /** @description The last error. */
            last_error: string | null;
            /** @description How many users have to approve it, besides the one who initiated it; 0: none. */
            approvals_required: number;
            /** @description How many users have approved it. */
            approvals: number;
            /** @description The user whose approval was the last that it needed. */
            approved_by: number | null;
            /** @description When it had all approvals. */
            approved_time: components["schemas"]["Timestamp"] | null;
            /** @description Why it was rejected. */
            rejected_reason: string | null;
            /** @description The user who did it. */
            rejected_by: number | null;
            /** @description When it happened. */
            rejected_time: components["schemas"]["Timestamp"] | null;
            /** @description Why it was cancelled. */
            cancelled_reason: string | null;
            /** @description The user who did it. */
            cancelled_by: number | null;
            /** @description When it happened. */
            cancelled_time: components["schemas"]["Timestamp"] | null;
            created: components["schemas"]["Timestamp"];
            /** @description The user who initiated it. */
            author: number;
            modified: components["schemas"]["Timestamp"];
            /** @description Who changed it last. */
            updated_by: string | null;
            /** @description The id that the network operator gave the transaction, if there is one recipient. */
            remote_transaction_id: string | null;
            /** @description Whether each recipient gets an SMS when the money has arrived. The network may send one of its own. */
            send_sms_message: boolean;
            /** @description The fees that the service has charged for it. */
            charged_fee: components["schemas"]["Amount"];
            /** @description The transactions of the wallet for this payment, oldest first. */
            transactions: components["schemas"]["Transaction"][];
        };
        /**
         * @description A payment in events and notifications. It has another form than in the API.
         * @example {
         *       "id": 1,
         *       "organization": 1,
         *       "payment_type": "money",
         *       "amount": "1500.0000",
         *       "currency": "BXC",
         *       "description": "Wages",
         *       "phone_nos": [
         *         "+80000000000"
         *       ],
         *       "start_date": "2030-01-31T12:00:00Z",
         *       "metadata": {
         *         "run": 7
         *       },
         *       "state": "completed",
         *       "last_error": null,
         *       "rejected_reason": null,
         *       "rejected_by": null,
         *       "rejected_time": null,
         *       "cancelled_reason": null,
         *       "cancelled_by": null,
         *       "cancelled_time": null,
         *       "created": "2030-01-31T12:00:00Z",
         *       "author": 1,
         *       "modified": "2030-01-31T12:00:00Z",
         *       "updated_by": null
         *     }
         */
        PaymentEvent: {
            id: number;
            /** @description Your organization. */
            organization: number;
            /**
             * @description What is sent.
             * @enum {string}
             */
            payment_type: "money" | "airtime";
            /** @description The sum of what all recipients get. */
            amount: components["schemas"]["Amount"];
            /** @description Three-letter code. */
            currency: string;
            /** @description Purpose of the payment. */
            description: string;
            /** @description The numbers of the recipients. */
            phone_nos: string[];
            /** @description When the payment is sent. Default: when it was made. */
            start_date: components["schemas"]["Timestamp"];
            /** @description Your own attributes, as you sent them. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The same as in the API, but `completed` for `processed`. New values may be added. */
            state: string;
            /** @description The last error. */
            last_error: string | null;
            /** @description Why it was rejected. */
            rejected_reason: string | null;
            /** @description The user who did it. */
            rejected_by: number | null;
            /** @description When it happened. */
            rejected_time: components["schemas"]["Timestamp"] | null;
            /** @description Why it was cancelled. */
            cancelled_reason: string | null;
            /** @description The user who did it. */
            cancelled_by: number | null;
            /** @description When it happened. */
            cancelled_time: components["schemas"]["Timestamp"] | null;
            created: components["schemas"]["Timestamp"];
            /** @description The user who initiated it. */
            author: number;
            modified: components["schemas"]["Timestamp"];
            /** @description Who changed it last. */
            updated_by: string | null;
        };
        /**
         * @example {
         *       "id": 1,
         *       "organization": 1,
         *       "url": "https://pay.example.com/pay/3q2-7wAAAAAAAAAAAAAAAAAAAAAA",
         *       "number": "LNK-000007",
         *       "state": "active",
         *       "title": "School fees, term 2",
         *       "description": "For one child.",
         *       "currency": "BXC",
         *       "account": null,
         *       "country": "XX",
         *       "amount": "1500.0000",
         *       "min_amount": null,
         *       "max_amount": null,
         *       "amounts": null,
         *       "single_use": false,
         *       "expiry_date": null,
         *       "fields": [],
         *       "success_message": "Thank you!",
         *       "return_url": "https://shop.example/thanks",
         *       "frame_ancestors": [],
         *       "created": "2030-01-31T12:00:00Z",
         *       "author": 1,
         *       "modified": "2030-01-31T12:00:00Z",
         *       "updated_by": null
         *     }
         */
        PaymentLink: {
            id: number;
            /** @description Your organization. */
            organization: number;
            /** @description The page for customers. */
            url: string;
            /** @description What a person types who pays to the till; null for the link of an invoice or of a request. */
            number: string | null;
            /**
             * @description Only an active link takes payments.
             * @enum {string}
             */
            state: "active" | "paid" | "closed" | "expired";
            /** @description What is paid; the reason of the requests. */
            title: string;
            /** @description Text below the title. */
            description: string;
            /** @description Three-letter code. */
            currency: string;
            /** @description The wallet that receives the money; null for the local one. */
            account: number | null;
            /** @description Whose numbers need no country code (ISO 3166-1). */
            country: string;
            /** @description The amount, if it is fixed. */
            amount: components["schemas"]["Amount"] | null;
            /** @description The smallest amount, if the customer chooses. */
            min_amount: components["schemas"]["Amount"] | null;
            /** @description The largest amount, if the customer chooses. */
            max_amount: components["schemas"]["Amount"] | null;
            /** @description The amounts to choose from. */
            amounts: string[] | null;
            /** @description Whether it can be paid only once. */
            single_use: boolean;
            /** @description When it stops taking payments. */
            expiry_date: components["schemas"]["Timestamp"] | null;
            /** @description What else the customer is asked. */
            fields: components["schemas"]["PaymentLinkField"][];
            /** @description Text on the receipt and of the SMS. */
            success_message: string;
            /** @description Where the customer goes back to. */
            return_url: string | null;
            /** @description Origins whose pages may show the page in a frame. */
            frame_ancestors: string[];
            created: components["schemas"]["Timestamp"];
            /** @description The user who made the link, and the author of its requests. */
            author: number;
            modified: components["schemas"]["Timestamp"];
            /** @description The user who changed it last. */
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
        /**
         * @example {
         *       "name": "pupil",
         *       "label": "Name of the pupil",
         *       "type": "text",
         *       "required": true,
         *       "choices": []
         *     }
         */
        PaymentLinkField: {
            /** @description The key in the metadata of the request. */
            name: string;
            /** @description What the customer reads. */
            label: string;
            /**
             * @description Text, a number, or one of `choices`.
             * @enum {string}
             */
            type: "text" | "number" | "choice";
            /** @description Whether the customer must answer. */
            required: boolean;
            /** @description What can be chosen; empty for the other types. */
            choices: string[];
        };
        PaymentPhone: {
            /** @description Phone number of the recipient, in E.164. */
            phonenumber: string;
            /** @description What this recipient gets. */
            amount: components["schemas"]["Amount"];
            /** @description How much of it the network has taken back and returned to the wallet. If it is all of the amount, the state is `error`. */
            reversed_amount: components["schemas"]["Amount"];
            /**
             * @description State of this recipient. New values may be added.
             * @enum {string}
             */
            state: "new" | "queued" | "processing" | "pending_confirmation" | "complete" | "error" | "paused" | "parked" | "aborted";
            /** @description The last error. */
            last_error: string | null;
            /** @description The contact with this number. */
            contact: number;
            /** @description Id of the payment, if it has several recipients. */
            batch_id: number | null;
            /** @description Purpose of the payment. */
            description: string;
            /** @description Id of the payment. */
            payment_id: number;
            /** @description The id that the network operator gave the transaction. */
            remote_transaction_id: string | null;
            /** @description Your own attributes of this recipient. */
            metadata: {
                [key: string]: unknown;
            };
        };
        /**
         * @example {
         *       "id": 7,
         *       "description": "Match collection 12 (UGX 2,000,000 …",
         *       "author": 3,
         *       "author_name": "Grace",
         *       "created": "2030-01-31T12:00:00Z",
         *       "expires": "2030-01-18T08:00:00Z"
         *     }
         */
        PendingMatch: {
            /** @description The change, as managers find it in the console. */
            id: number;
            /** @description The change in words. */
            description: string;
            /** @description The user who asks for it. */
            author: number | null;
            /** @description The name of this user. */
            author_name: string | null;
            created: components["schemas"]["Timestamp"];
            /** @description When it is void unless a manager confirms it. */
            expires: components["schemas"]["Timestamp"];
        };
        /**
         * @example {
         *       "collection": 12,
         *       "phonenumber": "+80000000000",
         *       "reference": "INV 12",
         *       "currency": "BXC",
         *       "amount": "85000.0000",
         *       "paid": "2030-01-31T12:00:00Z"
         *     }
         */
        PhoneMoney: {
            /** @description The payment. */
            collection: number;
            /** @description The phone number that paid. */
            phonenumber: string;
            /** @description What the payer typed. */
            reference: string | null;
            /** @description Three-letter code. */
            currency: string;
            /** @description How much of it is for nothing yet. */
            amount: components["schemas"]["Amount"];
            paid: components["schemas"]["Timestamp"];
        };
        /**
         * @description Phone number with the country code.
         * @example +80000000000
         */
        PhoneNumber: string;
        /**
         * @example {
         *       "amount": 1500,
         *       "available": 100,
         *       "description": "₦50 Airtime"
         *     }
         */
        PinBundle: {
            /** @description Value and price of one pin. */
            amount: string;
            /** @description Maximum number that can be bought. */
            available: number;
            /** @description Display name. */
            description: string;
        };
        /**
         * @example {
         *       "id": 1,
         *       "organization": 1,
         *       "state": "active",
         *       "collection_request": 1,
         *       "contact": 1,
         *       "phonenumber": "+80000000000",
         *       "customer_name": "Jane Doe",
         *       "amount": "1500.0000",
         *       "currency": "BXC",
         *       "reason": "Rent",
         *       "frequencies": [
         *         "monthly"
         *       ],
         *       "weekdays": [
         *         0,
         *         3
         *       ],
         *       "months": [],
         *       "start_date": "2030-01-31T12:00:00Z",
         *       "end_date": "2030-01-31T12:00:00Z",
         *       "paused": null,
         *       "stopped": null,
         *       "next_date": "2030-01-31T12:00:00Z",
         *       "next_dates": [
         *         "2030-01-31T12:00:00Z"
         *       ],
         *       "occurrence_count": 3,
         *       "collected_count": 2,
         *       "collected_amount": "1500.0000",
         *       "failed_count": 0,
         *       "open_count": 1,
         *       "reversed_count": 0
         *     }
         */
        Plan: {
            id: number;
            /** @description Your organization. */
            organization: number;
            /**
             * @description `active`, `paused`, `ended` when no date is left, or `stopped` when a user ended it.
             * @enum {string}
             */
            state: "active" | "paused" | "ended" | "stopped";
            /** @description The first request, which the later ones copy. */
            collection_request: number;
            /** @description The contact of the customer. */
            contact: number;
            /** @description The phone number of the customer, in E.164. */
            phonenumber: string;
            /** @description First and last name of the contact. */
            customer_name: string;
            /** @description The amount of each request. */
            amount: components["schemas"]["Amount"];
            /** @description Three-letter code. */
            currency: string;
            /** @description The reason; empty when none was given. */
            reason: string;
            /** @description How often it recurs. */
            frequencies: ("yearly" | "monthly" | "weekly" | "daily" | "hourly" | "minutely")[];
            /** @description The weekdays, 0 is Monday; empty: no choice of weekdays. */
            weekdays: number[];
            /** @description The months, 1 is January; empty: every month. */
            months: number[];
            /** @description When it starts. */
            start_date: components["schemas"]["Timestamp"];
            /** @description No date is later than this. */
            end_date: components["schemas"]["Timestamp"];
            /** @description Since when it is paused; null when it is not. */
            paused: components["schemas"]["Timestamp"] | null;
            /** @description When it was stopped; null when it was not. */
            stopped: components["schemas"]["Timestamp"] | null;
            /** @description The next date; null when there is none. */
            next_date: components["schemas"]["Timestamp"] | null;
            /** @description At most 5 of the next dates. */
            next_dates: components["schemas"]["Timestamp"][];
            /** @description How many requests there are, including the first. */
            occurrence_count: number;
            /** @description How many of its requests were paid. */
            collected_count: number;
            /** @description What they collected; reversed payments are not counted. */
            collected_amount: components["schemas"]["Amount"];
            /** @description How many of its requests failed or expired. */
            failed_count: number;
            /** @description How many of its requests are open. */
            open_count: number;
            /** @description How many of its requests were paid and then reversed. */
            reversed_count: number;
        };
        /**
         * @description A bill purchase and its result in events and notifications.
         * @example {
         *       "id": 10700149,
         *       "organization": 1,
         *       "agentReference": "order-17",
         *       "kind": "airtime",
         *       "service_type": "mtn",
         *       "account_number": "08031234567",
         *       "phone": "08031234567",
         *       "amount": "1500.0000",
         *       "currency": "NGN",
         *       "metadata": {
         *         "order": 7
         *       },
         *       "status": "success",
         *       "error_code": null,
         *       "created": "2030-01-31T12:00:00Z",
         *       "modified": "2030-01-31T12:00:00Z",
         *       "author": 1,
         *       "statusCode": "0",
         *       "transactionStatus": "success",
         *       "transactionReference": 10700149,
         *       "transactionMessage": "Payment Successful",
         *       "tokenCode": "12345678901234567890",
         *       "amountOfPower": "16.4KWH",
         *       "tokenAmount": 1000
         *     }
         */
        PurchaseEvent: {
            /** @description Id of the purchase. */
            id: number;
            /** @description Your organization. */
            organization: number;
            /** @description Your reference of the purchase. */
            agentReference: string;
            /** @description Category of the service. */
            kind: string;
            /** @description Code of the service. */
            service_type: string;
            /** @description Account, meter or card number. */
            account_number: string | null;
            /** @description Phone number of the customer. */
            phone: string | null;
            amount: components["schemas"]["Amount"];
            /** @description Three-letter code. */
            currency: string;
            /** @description Your own attributes, as you sent them. */
            metadata: Record<string, unknown>;
            /** @description `success`, `pending` or `failed`. */
            status: string;
            /** @description Error code of a failed purchase. */
            error_code: string | null;
            /** @description When the purchase was made. */
            created: components["schemas"]["Timestamp"];
            /** @description When the purchase changed last. */
            modified: components["schemas"]["Timestamp"];
            /** @description The user who made it. */
            author: number;
            /** @description `0` on success. */
            statusCode?: string;
            /** @description `success`, `pending` or `failed`. */
            transactionStatus: string;
            /** @description Id of the purchase. */
            transactionReference: number;
            /** @description Result as a text for people. */
            transactionMessage: string | null;
            /** @description Prepaid electricity: the token, 20 digits. */
            tokenCode?: string;
            /** @description Prepaid electricity: the quantity in kWh. */
            amountOfPower?: string;
            /** @description Prepaid electricity: the amount paid. */
            tokenAmount?: string;
        };
        /**
         * @example {
         *       "id": 1,
         *       "organization": 1,
         *       "number": "R-000012",
         *       "url": "https://pay.example.com/pay/receipts/3q2-7wAAAAAAAAAA",
         *       "pdf_url": "https://pay.example.com/pay/receipts/3q2-7wAAAAAAAAAA.pdf",
         *       "state": "paid",
         *       "issuer": "Demo Shop",
         *       "collection": 12,
         *       "collection_request": 17,
         *       "amount": "1500.0000",
         *       "reversed_amount": "0.0000",
         *       "refunded_amount": "0.0000",
         *       "currency": "BXC",
         *       "phonenumber": "+80000000000",
         *       "reason": "School fees",
         *       "invoice": null,
         *       "remote_transaction_id": "TX1",
         *       "payment_date": "2030-01-31T12:00:00Z",
         *       "sends": [],
         *       "created": "2030-01-31T12:00:00Z",
         *       "modified": "2030-01-31T12:00:00Z"
         *     }
         */
        Receipt: {
            id: number;
            /** @description Your organization. */
            organization: number;
            /** @description Without gaps for each organization. */
            number: string;
            /** @description The page for the customer. */
            url: string;
            /** @description The same as PDF. */
            pdf_url: string;
            /**
             * @description `paid`, `partly_returned` or `returned`: a part of the money, or all of it, was taken back by the network or refunded.
             * @enum {string}
             */
            state: "paid" | "partly_returned" | "returned";
            /** @description Your name when the receipt was made. */
            issuer: string;
            /** @description The payment. */
            collection: number;
            /** @description The request that the payment fulfilled, or null. */
            collection_request: number | null;
            /** @description What was paid. */
            amount: components["schemas"]["Amount"];
            /** @description How much of it the network has taken back. */
            reversed_amount: components["schemas"]["Amount"];
            /** @description How much of it was refunded or is being refunded. */
            refunded_amount: components["schemas"]["Amount"];
            /** @description Three-letter code. */
            currency: string;
            /** @description The phone number that paid. */
            phonenumber: string;
            /** @description What was paid. */
            reason: string;
            /** @description The number of the invoice that was paid, or null. */
            invoice: string | null;
            /** @description The network operator's own id of the payment. */
            remote_transaction_id: string;
            payment_date: components["schemas"]["Timestamp"];
            /** @description To whom it was sent, newest first. */
            sends: {
                /**
                 * @description How it was sent.
                 * @enum {string}
                 */
                channel: "sms" | "email";
                /** @description The phone number or e-mail address. */
                recipient: string;
                /**
                 * @description `delivered`: the phone has it. For e-mail, `sent`: the mail server has taken it.
                 * @enum {string}
                 */
                state: "waiting" | "sent" | "delivered" | "failed" | "unknown";
                created: components["schemas"]["Timestamp"];
            }[];
            created: components["schemas"]["Timestamp"];
            modified: components["schemas"]["Timestamp"];
        };
        /**
         * @description When the customer is reminded by SMS, in days after the due date; negative before. Default: never.
         * @example [
         *       -3,
         *       0,
         *       7
         *     ]
         */
        ReminderDays: number[] | string;
        /**
         * @example {
         *       "id": 1,
         *       "kind": "reminder",
         *       "collection_request": 17,
         *       "created": "2030-01-31T12:00:00Z",
         *       "author": 1,
         *       "author_name": "Jane Doe",
         *       "reason": null,
         *       "comment": "The customer asked on the phone.",
         *       "sms": 31,
         *       "prompt": false,
         *       "new_request": null,
         *       "payment_link": null,
         *       "payment": null
         *     }
         */
        RequestAction: {
            id: number;
            /**
             * @description `reminder`: the customer was asked again. `retry`: a new request asks for the same money. `payment_link`: a link was sent. `refund`: the money was sent back. New values may be added.
             * @enum {string}
             */
            kind: "reminder" | "retry" | "payment_link" | "refund";
            /** @description The request that it was done about; null for an unsolicited payment. */
            collection_request: number | null;
            created: components["schemas"]["Timestamp"];
            /** @description The user who did it. */
            author: number;
            /** @description The name of that user. */
            author_name: string;
            /** @description Why the money was refunded. */
            reason: ("customer_request" | "duplicate" | "wrong_amount" | "not_delivered" | "fraud" | "other") | null;
            /** @description Why, in the words of the user. */
            comment: string;
            /** @description The SMS that was sent. */
            sms: number | null;
            /** @description Whether the next prompt was brought forward. */
            prompt: boolean;
            /** @description The request that asks for the same money again. */
            new_request: number | null;
            /** @description The payment link that was sent. */
            payment_link: number | null;
            /** @description The payment that refunds the money. */
            payment: number | null;
        };
        /**
         * @example {
         *       "id": 1,
         *       "source": "tag",
         *       "name": "P5",
         *       "duplicates": "skip",
         *       "rows": 120,
         *       "refused": 0,
         *       "skipped": 3,
         *       "made": 117,
         *       "created": "2030-01-31T12:00:00Z",
         *       "author": 1,
         *       "author_name": "Jane Doe",
         *       "finished": "2030-01-31T12:00:00Z"
         *     }
         */
        RequestBatch: {
            id: number;
            /**
             * @description `file`: from a file. `tag`: for all customers with a tag.
             * @enum {string}
             */
            source: "file" | "tag";
            /** @description The name of the file, or the tag. */
            name: string;
            /**
             * @description What happened where the customer had an open or recent request for the same amount and reason.
             * @enum {string}
             */
            duplicates: "skip" | "create";
            /** @description Rows of the file, or customers with the tag. */
            rows: number;
            /** @description Rows of the file that were refused. */
            refused: number;
            /** @description Requests that were not made, because the customer has the same already. */
            skipped: number;
            /** @description Requests that were made. */
            made: number;
            created: components["schemas"]["Timestamp"];
            /** @description The user who made it. */
            author: number;
            /** @description The name of this user. */
            author_name: string;
            /** @description When its last request was made. Null while it is running, and if it was interrupted: the same call goes on. */
            finished: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @example {
         *       "rows": [
         *         {
         *           "number": 2,
         *           "customer_number": "P5-017",
         *           "phone_number": "+256772123456",
         *           "name": "Jane Doe",
         *           "reason": "Term 1",
         *           "amount": "850000.0000",
         *           "currency": "UGX",
         *           "network": "MTN Uganda",
         *           "expiry_date": null,
         *           "state": "ready",
         *           "problems": [],
         *           "warnings": []
         *         }
         *       ],
         *       "all": [
         *         {
         *           "currency": "UGX",
         *           "network": "MTN Uganda",
         *           "requests": 117,
         *           "total": "99450000.0000"
         *         }
         *       ],
         *       "without_duplicates": [
         *         {
         *           "currency": "UGX",
         *           "network": "MTN Uganda",
         *           "requests": 117,
         *           "total": "99450000.0000"
         *         }
         *       ]
         *     }
         */
        RequestBatchPreview: {
            /** @description Each row of the file, or each customer with the tag. */
            rows: components["schemas"]["RequestBatchRow"][];
            /** @description Sums of all requests that can be made. */
            all: components["schemas"]["RequestBatchSum"][];
            /** @description Sums without those that are there twice, or were asked for already. */
            without_duplicates: components["schemas"]["RequestBatchSum"][];
        };
        /**
         * @example {
         *       "column": "amount",
         *       "message": "This customer has no phone number."
         *     }
         */
        RequestBatchProblem: {
            /**
             * @description The column with the problem.
             * @enum {string}
             */
            column: "customer_number" | "phone_number" | "amount" | "currency" | "reason" | "first_name" | "last_name" | "expiry" | "send_instructions" | "name";
            /** @description The reason. */
            message: string;
        };
        RequestBatchRow: {
            /** @description Its number in the file, where the first line is 1; or the id of the customer. */
            number: number;
            /** @description The number of the customer; empty if the row has none. */
            customer_number: string;
            /** @description The phone that is asked, in E.164, or the text of the file if that is no phone number. */
            phone_number: string;
            /** @description The name of the customer. */
            name: string;
            /** @description What the money is for. */
            reason: string;
            /** @description Null if the row has no amount that can be read. */
            amount: components["schemas"]["Amount"] | null;
            /** @description ISO 4217. */
            currency: string;
            /** @description The network that is asked; null for a refused row. */
            network: string | null;
            /** @description ISO 8601; null for the default of 24 hours. */
            expiry_date: string | null;
            /**
             * @description `refused`: no request can be made; see `problems`.
             * @enum {string}
             */
            state: "ready" | "refused";
            /** @description Why the row is refused, with the column. */
            problems: components["schemas"]["RequestBatchProblem"][];
            /** @description `twice`: another row has the same phone, amount and reason. `asked_already`: an open or recent request has them. */
            warnings: ({
                /** @constant */
                code: "twice";
                row: number;
            } | {
                /** @constant */
                code: "asked_already";
                request: number;
            })[];
        };
        RequestBatchSum: {
            /** @description Three-letter code. */
            currency: string;
            /** @description The network that asks the customers. */
            network: string;
            /** @description How many. */
            requests: number;
            /** @description Their amounts together. */
            total: components["schemas"]["Amount"];
        };
        /**
         * @example {
         *       "unmatched": [
         *         {
         *           "collection": 12,
         *           "phonenumber": "+80000000000",
         *           "reference": "INV 12",
         *           "currency": "BXC",
         *           "amount": "85000.0000",
         *           "paid": "2030-01-31T12:00:00Z",
         *           "difference": "-1.0000"
         *         }
         *       ]
         *     }
         */
        RequestUnmatchedMoney: {
            unmatched: components["schemas"]["NearMoney"][];
        };
        /**
         * @example {
         *       "id": 1,
         *       "collection_request": 17,
         *       "bill_purchase": null,
         *       "payment": null,
         *       "purpose": "instructions",
         *       "phonenumber": "+256772000001",
         *       "body": "Your payment of UGX 1,500 has arrived.",
         *       "state": "delivered",
         *       "reason": null,
         *       "last_error": null,
         *       "sender_id": "DemoShop",
         *       "parts": 1,
         *       "encoding": "gsm",
         *       "cost": "35.0000",
         *       "currency": "UGX",
         *       "created": "2030-01-31T12:00:00Z",
         *       "sent_at": "2030-01-31T12:00:00Z",
         *       "delivered_at": "2030-01-31T12:00:00Z"
         *     }
         */
        Sms: {
            id: number;
            /** @description The collection request that caused it, or null. */
            collection_request: number | null;
            /** @description The bill purchase that caused it, or null. */
            bill_purchase: number | null;
            /** @description The payment whose recipient it tells about the money, or null. */
            payment: number | null;
            /**
             * @description `instructions`: how to pay. `reminder`: the same again. `payment_link`: the address of a page to pay on. `success`: the money has arrived. `goods`: what was bought. `message`: a person wrote it. `reply`: the answer to a word such as STOP.
             * @enum {string}
             */
            purpose: "instructions" | "reminder" | "payment_link" | "success" | "goods" | "message" | "reply";
            /** @description E.164. */
            phonenumber: string;
            /** @description The whole text, as it is sent. */
            body: string;
            /**
             * @description `waiting`, then `sent` (a provider has it), then `delivered` or `failed`. `unknown`: no provider said whether it has it.
             * @enum {string}
             */
            state: "waiting" | "sent" | "delivered" | "failed" | "unknown";
            /** @description Why it did not arrive, in one word, such as `unreachable`. */
            reason: string | null;
            /** @description What went wrong last, for people. */
            last_error: string | null;
            /** @description What the phone shows; null for the provider’s own. */
            sender_id: string | null;
            /** @description How many SMS it takes; null before it is sent. */
            parts: number | null;
            /** @description The alphabet: GSM has room for twice as much. */
            encoding: ("gsm" | "ucs-2") | null;
            /** @description What it cost, as far as the provider said so. */
            cost: components["schemas"]["Amount"] | null;
            /** @description The currency of the cost. */
            currency: string | null;
            created: components["schemas"]["Timestamp"];
            sent_at: components["schemas"]["Timestamp"] | null;
            delivered_at: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @example {
         *       "at": "2030-01-31T12:00:00Z",
         *       "kind": "payment",
         *       "invoice": 12,
         *       "invoice_number": "INV-000012",
         *       "due_date": "2030-02-14",
         *       "collection": 41,
         *       "remote_transaction_id": "TX1",
         *       "phonenumber": "+80000000000",
         *       "payment_date": null,
         *       "receipt": "R-000012",
         *       "refund": null,
         *       "charged_amount": "0.0000",
         *       "credited_amount": "85000.0000",
         *       "balance": "115000.0000"
         *     }
         */
        StatementEntry: {
            at: components["schemas"]["Timestamp"];
            /**
             * @description `invoice` and `void`: an invoice was issued or voided. `payment`: money that arrived for an invoice or as credit. `moved`: money that is for something else now, such as credit that was used. `reversal`: taken back by the network. `refund`: given back. `adjustment`: refunded money is not asked for again.
             * @enum {string}
             */
            kind: "invoice" | "void" | "payment" | "moved" | "reversal" | "refund" | "adjustment";
            /** @description The invoice; null for credit. */
            invoice: number | null;
            /** @description Its number. */
            invoice_number: string | null;
            /** @description Its last day to pay. */
            due_date: string | null;
            /** @description The payment of the customer. */
            collection: number | null;
            /** @description The network's own id of the payment. */
            remote_transaction_id: string | null;
            /** @description The phone number that paid. */
            phonenumber: string | null;
            /** @description When it was paid. */
            payment_date: components["schemas"]["Timestamp"] | null;
            /** @description The number of its receipt, if it has one. */
            receipt: string | null;
            /** @description The payment that gave money back. */
            refund: number | null;
            /** @description What the customer owes more. */
            charged_amount: components["schemas"]["Amount"];
            /** @description What the customer owes less. */
            credited_amount: components["schemas"]["Amount"];
            /** @description What the customer owes after it; negative for credit. */
            balance: components["schemas"]["Amount"];
        };
        /**
         * Format: date-time
         * @description A time in UTC.
         * @example 2030-01-31T12:00:00Z
         */
        Timestamp: string;
        /**
         * @example {
         *       "id": 1,
         *       "account": 1,
         *       "amount": "1500.0000",
         *       "currency": "BXC",
         *       "description": "Collection 12",
         *       "created": "2030-01-31T12:00:00Z",
         *       "type": "mobile_collection"
         *     }
         */
        Transaction: {
            id: number;
            /** @description The wallet. */
            account: number;
            /** @description Negative if money left the wallet. */
            amount: components["schemas"]["Amount"];
            /** @description Three-letter code. */
            currency: string;
            /** @description The reason for the transaction. */
            description: string;
            created: components["schemas"]["Timestamp"];
            /**
             * @description Why the balance changed.
             * @enum {string}
             */
            type: "mobile_collection" | "mobile_payment" | "airtime_topup" | "bill_payment" | "service_charge" | "admin_funds_update";
        };
        /**
         * @example {
         *       "day": "2030-03-05",
         *       "zone": "Africa/Kampala",
         *       "count": 1,
         *       "rows": [],
         *       "totals": []
         *     }
         */
        UnmatchedMoney: {
            /** @description The day of the report, in the time zone of the organization. */
            day: string;
            /** @description The time zone of the organization. */
            zone: string;
            /** @description The number of rows on all pages together. */
            count: number;
            /** @description A row for each payment, the oldest first. */
            rows: components["schemas"]["UnmatchedRow"][];
            /** @description The sums of all rows, one for each currency. */
            totals: components["schemas"]["UnmatchedSum"][];
        };
        /**
         * @example {
         *       "collection": 41,
         *       "payment_date": "2030-01-31T12:00:00Z",
         *       "days": 3,
         *       "phonenumber": "+80000000000",
         *       "contact": 3,
         *       "payer_name": "Betty Namutebi",
         *       "reference": null,
         *       "network": "sandbox",
         *       "remote_transaction_id": "TX1",
         *       "status": "successful",
         *       "account": 5,
         *       "currency": "UGX",
         *       "amount": "120000.0000",
         *       "left_amount": "35000.0000"
         *     }
         */
        UnmatchedRow: {
            /** @description The payment. */
            collection: number;
            payment_date: components["schemas"]["Timestamp"];
            /** @description How many days ago it was paid; 0: today. */
            days: number;
            /** @description The phone number that paid. */
            phonenumber: string;
            /** @description The contact with this number. */
            contact: number;
            /** @description The name of the payer; empty if it is not known. */
            payer_name: string;
            /** @description The reference that the customer typed. */
            reference: string | null;
            /** @description The code of the network. */
            network: string;
            /** @description The network's own id of the payment. */
            remote_transaction_id: string;
            /**
             * @description `failed`: you rejected it, and it waits to be returned.
             * @enum {string}
             */
            status: "successful" | "failed";
            /** @description The wallet. */
            account: number;
            /** @description Three-letter code. */
            currency: string;
            /** @description What was received. */
            amount: components["schemas"]["Amount"];
            /** @description What of it is for nothing yet. */
            left_amount: components["schemas"]["Amount"];
        };
        /**
         * @example {
         *       "currency": "UGX",
         *       "payments": 1,
         *       "days_0_7_amount": "35000.0000",
         *       "days_8_30_amount": "0.0000",
         *       "days_31_90_amount": "0.0000",
         *       "days_over_90_amount": "0.0000",
         *       "left_amount": "35000.0000"
         *     }
         */
        UnmatchedSum: {
            /** @description Three-letter code. */
            currency: string;
            /** @description How many payments. */
            payments: number;
            /** @description Of payments of the last 7 days, and of today. */
            days_0_7_amount: components["schemas"]["Amount"];
            /** @description Of payments that are 8 to 30 days old. */
            days_8_30_amount: components["schemas"]["Amount"];
            /** @description Of payments that are 31 to 90 days old. */
            days_31_90_amount: components["schemas"]["Amount"];
            /** @description Of payments that are more than 90 days old. */
            days_over_90_amount: components["schemas"]["Amount"];
            /** @description All that is for nothing yet. */
            left_amount: components["schemas"]["Amount"];
        };
        /**
         * @example {
         *       "service_type": "ikeja_electric_prepaid",
         *       "account_number": "04042404048"
         *     }
         */
        VerifyMeter: {
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
        /**
         * @example {
         *       "id": 1,
         *       "user": 1,
         *       "event": "collection.received",
         *       "created": "2030-01-31T12:00:00Z",
         *       "updated": "2030-01-31T12:00:00Z",
         *       "target": "https://shop.example/notifications"
         *     }
         */
        Webhook: {
            id: number;
            /** @description The user who created it. */
            user: number;
            /** @description The event type that it receives. */
            event: string;
            created: components["schemas"]["Timestamp"];
            updated: components["schemas"]["Timestamp"];
            /** @description The URL that notifications are sent to. */
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
        /** @description The call was refused or failed, with a status from 400 to 503. `code` gives the reason (docs/bills.md lists the codes). 409 is a `Duplicate-Check-Key` that was used before. */
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
        /**
         * @description Every operation may be refused with one of these:
         *
         *     - 401: the API key is missing, wrong, revoked or expired.
         *
         *     - 403: the key lacks the permission, or the object belongs to another organization.
         *
         *     - 415: the body is neither JSON nor a form.
         *
         *     - 429: too many requests. `Retry-After` gives the seconds to wait.
         *
         *     - 503: the service is in maintenance or temporarily cannot answer. `Retry-After` gives the seconds to wait.
         */
        Refused: {
            headers: {
                /** @description With 429 and 503: seconds to wait before the next try. */
                "Retry-After"?: number;
                /** @description With 401. */
                "WWW-Authenticate"?: "Token";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Detail"];
            };
        };
        /** @description Received. Respond within 5 seconds. The service repeats all other deliveries, up to 10 attempts in total. */
        Received: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Send no more notifications: deletes the webhook. */
        NoMore: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Success. */
        BillAccountHolder: {
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
        /** @description Success. */
        BillProviders: {
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
        /** @description `status` is `pending` when the biller has accepted the purchase and not finished it, and while it waits for an approval. 503 with `BX0021` means that the outcome is not known yet. In both cases the money stays on hold. Use a requery to read the final result. */
        BillPurchase: {
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
        /** @description Success. */
        BillServices: {
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
        /** @description Success. */
        Bouquets: {
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
        /** @description Success. */
        CollectionAllocations: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CollectionAllocations"];
            };
        };
        /** @description Created. */
        CollectionRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CollectionRequest"];
            };
        };
        /** @description Success. */
        ContactDetails: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContactDetails"];
            };
        };
        /** @description Success. */
        ExamProducts: {
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
        /** @description Success. */
        Invoice: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Invoice"];
            };
        };
        /** @description Success. */
        InvoicesDone: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvoicesDone"];
            };
        };
        /** @description Success. */
        MatchingSettings: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MatchingSettings"];
            };
        };
        /** @description Created. */
        Payment: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Payment"];
            };
        };
        /** @description Created. */
        PaymentLink: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PaymentLink"];
            };
        };
        /** @description Success. */
        Plan: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Plan"];
            };
        };
        /** @description Success. */
        Receipt: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Receipt"];
            };
        };
    };
    parameters: {
        /**
         * @description Exact amount; `100` finds `100.0000`.
         * @example 1500
         */
        Amount: string;
        /**
         * @description Id of the batch that made it.
         * @example 12
         */
        Batch: number;
        /**
         * @description Id of the customer.
         * @example 12
         */
        Contact: number;
        /**
         * @description First name of the contact.
         * @example Jane
         */
        ContactFirstName: string;
        /**
         * @description Last name of the contact.
         * @example Doe
         */
        ContactLastName: string;
        /**
         * @description Only services of this country (ISO 3166-1). Lists of providers of one category have those of Nigeria unless it is given.
         * @example KE
         */
        Country: string;
        /**
         * @description Created after this time.
         * @example 2030-01-31T12:00:00Z
         */
        CreatedAfter: string;
        /**
         * @description Created before this time.
         * @example 2030-01-31T12:00:00Z
         */
        CreatedBefore: string;
        /**
         * @description Currency code.
         * @example BXC
         */
        Currency: string;
        /**
         * @description Due after this day.
         * @example 2030-01-31
         */
        DueAfter: string;
        /**
         * @description Due before this day.
         * @example 2030-01-31
         */
        DueBefore: string;
        /** @description Any text. A second request with the same text is refused for 24 hours. */
        DuplicateCheckKey: string;
        /**
         * @description `csv`, `xlsx` or `pdf` returns a file with all rows. An `Accept` header with its media type does the same.
         * @example json
         */
        Format: "json" | "csv" | "xlsx" | "pdf";
        /**
         * @description Id of the object.
         * @example 1
         */
        Id: number;
        /**
         * @description Page size; default 10, at most 1000.
         * @example 20
         */
        Limit: number;
        /**
         * @description Modified after this time.
         * @example 2030-01-31T12:00:00Z
         */
        ModifiedAfter: string;
        /**
         * @description Modified before this time.
         * @example 2030-01-31T12:00:00Z
         */
        ModifiedBefore: string;
        /**
         * @description Number of items to skip.
         * @example 0
         */
        Offset: number;
        /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
        Ordering: "id" | "-id" | "created" | "-created" | "modified" | "-modified" | "amount" | "-amount";
        /**
         * @description International format; a missing `+` is added. A literal plus is sent as `%2B`.
         * @example +80000000000
         */
        PhoneNumber: string;
        /**
         * @description International format; a missing `+` is added. A literal plus is sent as `%2B`.
         * @example +80000000000
         */
        Phonenumber: string;
        /**
         * @description The network operator's own id of the payment.
         * @example TX1
         */
        RemoteTransactionId: string;
        /**
         * @description Status; one that does not exist finds nothing.
         * @example successful
         */
        Status: string;
        /**
         * @description A tag of the customer, such as a class.
         * @example P5
         */
        Tag: string;
        /** @description Sandbox only: how the simulated biller behaves. */
        XSandboxScenario: string;
    };
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
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: components["parameters"]["Ordering"];
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: components["parameters"]["Currency"];
                /**
                 * @description Status; an unknown status finds nothing.
                 * @example active
                 */
                status?: string;
                /**
                 * @description Created after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_after?: components["parameters"]["CreatedAfter"];
                /**
                 * @description Created before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_before?: components["parameters"]["CreatedBefore"];
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
                    "application/json": components["schemas"]["Page"] & {
                        results: components["schemas"]["Account"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    listCollectionRequests: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: components["parameters"]["Ordering"];
                /**
                 * @description Exact amount; `100` finds `100.0000`.
                 * @example 1500
                 */
                amount?: components["parameters"]["Amount"];
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: components["parameters"]["Currency"];
                /**
                 * @description Id of the collection that fulfilled the request.
                 * @example 12
                 */
                collection?: number;
                /**
                 * @description International format; a missing `+` is added. A literal plus is sent as `%2B`.
                 * @example +80000000000
                 */
                phonenumber?: components["parameters"]["Phonenumber"];
                /**
                 * @description The network operator's id of the collection that fulfilled the request, or the id or reference of an order for it.
                 * @example TX1
                 */
                remote_transaction_id?: string;
                /**
                 * @description Created after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_after?: components["parameters"]["CreatedAfter"];
                /**
                 * @description Created before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_before?: components["parameters"]["CreatedBefore"];
                /**
                 * @description Modified after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_after?: components["parameters"]["ModifiedAfter"];
                /**
                 * @description Modified before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_before?: components["parameters"]["ModifiedBefore"];
                /**
                 * @description Status; one that does not exist finds nothing.
                 * @example successful
                 */
                status?: components["parameters"]["Status"];
                /**
                 * @description The whole text of the reason.
                 * @example Order 7
                 */
                reason?: string;
                /**
                 * @description First name of the contact.
                 * @example Jane
                 */
                contact_first_name?: components["parameters"]["ContactFirstName"];
                /**
                 * @description Last name of the contact.
                 * @example Doe
                 */
                contact_last_name?: components["parameters"]["ContactLastName"];
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
                    "application/json": components["schemas"]["Page"] & {
                        results: components["schemas"]["CollectionRequest"][];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
        };
    };
    createCollectionRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
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
            201: components["responses"]["CollectionRequest"];
            400: components["responses"]["Invalid"];
            409: components["responses"]["Duplicate"];
            default: components["responses"]["Refused"];
        };
    };
    listRequestBatches: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: components["parameters"]["Ordering"];
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
                    "application/json": components["schemas"]["Page"] & {
                        results: components["schemas"]["RequestBatch"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
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
            409: components["responses"]["Duplicate"];
            default: components["responses"]["Refused"];
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
            default: components["responses"]["Refused"];
        };
    };
    getRequestBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    getCollectionRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    listRequestActions: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: components["parameters"]["Ordering"];
            };
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
                    "application/json": components["schemas"]["Page"] & {
                        results: components["schemas"]["RequestAction"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    sendPaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
            };
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            201: components["responses"]["PaymentLink"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Duplicate"];
            default: components["responses"]["Refused"];
        };
    };
    refundCollectionRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
            };
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            201: components["responses"]["Payment"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Duplicate"];
            default: components["responses"]["Refused"];
        };
    };
    remindCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
            };
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            404: components["responses"]["NotFound"];
            409: components["responses"]["Duplicate"];
            default: components["responses"]["Refused"];
        };
    };
    retryCollectionRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
            };
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            201: components["responses"]["CollectionRequest"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Duplicate"];
            default: components["responses"]["Refused"];
        };
    };
    listUnmatchedMoney: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    listCollections: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: components["parameters"]["Ordering"];
                /**
                 * @description Exact amount; `100` finds `100.0000`.
                 * @example 1500
                 */
                amount?: components["parameters"]["Amount"];
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: components["parameters"]["Currency"];
                /**
                 * @description International format; a missing `+` is added. A literal plus is sent as `%2B`.
                 * @example +80000000000
                 */
                phonenumber?: components["parameters"]["Phonenumber"];
                /**
                 * @description The reference that the customer typed.
                 * @example 123
                 */
                reference?: string;
                /**
                 * @description The network operator's own id of the payment.
                 * @example TX1
                 */
                remote_transaction_id?: components["parameters"]["RemoteTransactionId"];
                /**
                 * @description Id of the request that the collection fulfilled.
                 * @example 12
                 */
                collection_request?: number;
                /**
                 * @description Created after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_after?: components["parameters"]["CreatedAfter"];
                /**
                 * @description Created before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_before?: components["parameters"]["CreatedBefore"];
                /**
                 * @description Modified after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_after?: components["parameters"]["ModifiedAfter"];
                /**
                 * @description Modified before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_before?: components["parameters"]["ModifiedBefore"];
                /**
                 * @description Status; one that does not exist finds nothing.
                 * @example successful
                 */
                status?: components["parameters"]["Status"];
                /**
                 * @description Code of the network that the money came through.
                 * @example sandbox
                 */
                network?: string;
                /**
                 * @description First name of the contact.
                 * @example Jane
                 */
                contact_first_name?: components["parameters"]["ContactFirstName"];
                /**
                 * @description Last name of the contact.
                 * @example Doe
                 */
                contact_last_name?: components["parameters"]["ContactLastName"];
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
                    "application/json": components["schemas"]["Page"] & {
                        results: components["schemas"]["Collection"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
        };
    };
    getCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    listAllocations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CollectionAllocations"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    allocateCollection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
            };
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            200: components["responses"]["CollectionAllocations"];
            /** @description Accepted: a second person has to confirm it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionAllocations"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Duplicate"];
            default: components["responses"]["Refused"];
        };
    };
    endAllocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
                /**
                 * @description Id of the allocation.
                 * @example 7
                 */
                allocation: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CollectionAllocations"];
            /** @description Accepted: a second person has to confirm it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionAllocations"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    suggestMatches: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    listContacts: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: components["parameters"]["Ordering"];
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
                phone_number?: components["parameters"]["PhoneNumber"];
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
                created_after?: components["parameters"]["CreatedAfter"];
                /**
                 * @description Created before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_before?: components["parameters"]["CreatedBefore"];
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
                    "application/json": components["schemas"]["Page"] & {
                        results: components["schemas"]["ContactDetails"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
        };
    };
    createContact: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
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
            409: components["responses"]["Duplicate"];
            default: components["responses"]["Refused"];
        };
    };
    getContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ContactDetails"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    changeContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            200: components["responses"]["ContactDetails"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    getContactMoney: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
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
                format?: components["parameters"]["Format"];
            };
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    listCurrencies: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: components["parameters"]["Ordering"];
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
                    "application/json": components["schemas"]["Page"] & {
                        results: components["schemas"]["Currency"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
        };
    };
    getCurrency: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: components["parameters"]["Ordering"];
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
                    "application/json": components["schemas"]["Page"] & {
                        results: components["schemas"]["Event"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
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
            default: components["responses"]["Refused"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
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
            default: components["responses"]["BillRefused"];
        };
    };
    listBillProviders: {
        parameters: {
            query?: {
                /**
                 * @description Only services of this country (ISO 3166-1). Lists of providers of one category have those of Nigeria unless it is given.
                 * @example KE
                 */
                country?: components["parameters"]["Country"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BillProviders"];
            default: components["responses"]["BillRefused"];
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
            200: components["responses"]["BillServices"];
            default: components["responses"]["BillRefused"];
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
                "application/json": components["schemas"]["ListBillServicesOfCategory"];
                "application/x-www-form-urlencoded": components["schemas"]["ListBillServicesOfCategory"];
            };
        };
        responses: {
            200: components["responses"]["BillServices"];
            default: components["responses"]["BillRefused"];
        };
    };
    listBillServices: {
        parameters: {
            query?: {
                /**
                 * @description Only services of this country (ISO 3166-1). Lists of providers of one category have those of Nigeria unless it is given.
                 * @example KE
                 */
                country?: components["parameters"]["Country"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BillServices"];
            default: components["responses"]["BillRefused"];
        };
    };
    listAirtimeProviders: {
        parameters: {
            query?: {
                /**
                 * @description Only services of this country (ISO 3166-1). Lists of providers of one category have those of Nigeria unless it is given.
                 * @example KE
                 */
                country?: components["parameters"]["Country"];
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
            default: components["responses"]["BillRefused"];
        };
    };
    buyAirtime: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
                /** @description Sandbox only: how the simulated biller behaves. */
                "x-sandbox-scenario"?: components["parameters"]["XSandboxScenario"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BuyAirtime"];
                "application/x-www-form-urlencoded": components["schemas"]["BuyAirtime"];
            };
        };
        responses: {
            200: components["responses"]["BillPurchase"];
            default: components["responses"]["BillRefused"];
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
                "application/json": components["schemas"]["ListAddons"];
                "application/x-www-form-urlencoded": components["schemas"]["ListAddons"];
            };
        };
        responses: {
            200: components["responses"]["Bouquets"];
            default: components["responses"]["BillRefused"];
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
                "application/json": components["schemas"]["ListBouquets"];
                "application/x-www-form-urlencoded": components["schemas"]["ListBouquets"];
            };
        };
        responses: {
            200: components["responses"]["Bouquets"];
            default: components["responses"]["BillRefused"];
        };
    };
    listCabletvProviders: {
        parameters: {
            query?: {
                /**
                 * @description Only services of this country (ISO 3166-1). Lists of providers of one category have those of Nigeria unless it is given.
                 * @example KE
                 */
                country?: components["parameters"]["Country"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BillProviders"];
            default: components["responses"]["BillRefused"];
        };
    };
    buyCableTv: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
                /** @description Sandbox only: how the simulated biller behaves. */
                "x-sandbox-scenario"?: components["parameters"]["XSandboxScenario"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BuyCableTv"];
                "application/x-www-form-urlencoded": components["schemas"]["BuyCableTv"];
            };
        };
        responses: {
            200: components["responses"]["BillPurchase"];
            default: components["responses"]["BillRefused"];
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
                "application/json": components["schemas"]["ListDataBundles"];
                "application/x-www-form-urlencoded": components["schemas"]["ListDataBundles"];
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
            default: components["responses"]["BillRefused"];
        };
    };
    listDatabundleProviders: {
        parameters: {
            query?: {
                /**
                 * @description Only services of this country (ISO 3166-1). Lists of providers of one category have those of Nigeria unless it is given.
                 * @example KE
                 */
                country?: components["parameters"]["Country"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BillProviders"];
            default: components["responses"]["BillRefused"];
        };
    };
    buyDataBundle: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
                /** @description Sandbox only: how the simulated biller behaves. */
                "x-sandbox-scenario"?: components["parameters"]["XSandboxScenario"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BuyDataBundle"];
                "application/x-www-form-urlencoded": components["schemas"]["BuyDataBundle"];
            };
        };
        responses: {
            200: components["responses"]["BillPurchase"];
            default: components["responses"]["BillRefused"];
        };
    };
    listElectricityBillers: {
        parameters: {
            query?: {
                /**
                 * @description Only services of this country (ISO 3166-1). Lists of providers of one category have those of Nigeria unless it is given.
                 * @example KE
                 */
                country?: components["parameters"]["Country"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BillProviders"];
            default: components["responses"]["BillRefused"];
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
            200: components["responses"]["BillProviders"];
            default: components["responses"]["BillRefused"];
        };
    };
    buyElectricity: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
                /** @description Sandbox only: how the simulated biller behaves. */
                "x-sandbox-scenario"?: components["parameters"]["XSandboxScenario"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BuyElectricity"];
                "application/x-www-form-urlencoded": components["schemas"]["BuyElectricity"];
            };
        };
        responses: {
            200: components["responses"]["BillPurchase"];
            default: components["responses"]["BillRefused"];
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
                "application/json": components["schemas"]["VerifyMeter"];
                "application/x-www-form-urlencoded": components["schemas"]["VerifyMeter"];
            };
        };
        responses: {
            200: components["responses"]["BillAccountHolder"];
            default: components["responses"]["BillRefused"];
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
                "application/json": components["schemas"]["ListPinBundles"];
                "application/x-www-form-urlencoded": components["schemas"]["ListPinBundles"];
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
            default: components["responses"]["BillRefused"];
        };
    };
    listEpinProviders: {
        parameters: {
            query?: {
                /**
                 * @description Only services of this country (ISO 3166-1). Lists of providers of one category have those of Nigeria unless it is given.
                 * @example KE
                 */
                country?: components["parameters"]["Country"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BillProviders"];
            default: components["responses"]["BillRefused"];
        };
    };
    buyPins: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
                /** @description Sandbox only: how the simulated biller behaves. */
                "x-sandbox-scenario"?: components["parameters"]["XSandboxScenario"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BuyPins"];
                "application/x-www-form-urlencoded": components["schemas"]["BuyPins"];
            };
        };
        responses: {
            200: components["responses"]["BillPurchase"];
            default: components["responses"]["BillRefused"];
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
            200: components["responses"]["ExamProducts"];
            default: components["responses"]["BillRefused"];
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
                "application/json": components["schemas"]["ListExamProductsByPost"];
                "application/x-www-form-urlencoded": components["schemas"]["ListExamProductsByPost"];
            };
        };
        responses: {
            200: components["responses"]["ExamProducts"];
            default: components["responses"]["BillRefused"];
        };
    };
    buyExamPin: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
                /** @description Sandbox only: how the simulated biller behaves. */
                "x-sandbox-scenario"?: components["parameters"]["XSandboxScenario"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BuyExamPin"];
                "application/x-www-form-urlencoded": components["schemas"]["BuyExamPin"];
            };
        };
        responses: {
            200: components["responses"]["BillPurchase"];
            default: components["responses"]["BillRefused"];
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
            200: components["responses"]["BillAccountHolder"];
            default: components["responses"]["BillRefused"];
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
                "application/json": components["schemas"]["FindName"];
                "application/x-www-form-urlencoded": components["schemas"]["FindName"];
            };
        };
        responses: {
            200: components["responses"]["BillAccountHolder"];
            default: components["responses"]["BillRefused"];
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
                            /**
                             * @description The amount that can be spent.
                             * @example 1500
                             */
                            balance: string;
                            /** @description When money was last added; null for never. */
                            lastDeposit: components["schemas"]["Timestamp"] | null;
                        };
                    };
                };
            };
            default: components["responses"]["BillRefused"];
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
            200: components["responses"]["BillPurchase"];
            default: components["responses"]["BillRefused"];
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: components["parameters"]["Ordering"];
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
                contact?: components["parameters"]["Contact"];
                /**
                 * @description The number of the customer, as payers type it.
                 * @example P5-017
                 */
                customer_number?: string;
                /**
                 * @description A tag of the customer, such as a class.
                 * @example P5
                 */
                tag?: components["parameters"]["Tag"];
                /**
                 * @description Id of the batch that made it.
                 * @example 12
                 */
                batch?: components["parameters"]["Batch"];
                /**
                 * @description International format; a missing `+` is added. A literal plus is sent as `%2B`.
                 * @example +80000000000
                 */
                phonenumber?: components["parameters"]["Phonenumber"];
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
                currency?: components["parameters"]["Currency"];
                /**
                 * @description Exact amount; `100` finds `100.0000`.
                 * @example 1500
                 */
                total?: string;
                /**
                 * @description Due after this day.
                 * @example 2030-01-31
                 */
                due_after?: components["parameters"]["DueAfter"];
                /**
                 * @description Due before this day.
                 * @example 2030-01-31
                 */
                due_before?: components["parameters"]["DueBefore"];
                /**
                 * @description Created after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_after?: components["parameters"]["CreatedAfter"];
                /**
                 * @description Created before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_before?: components["parameters"]["CreatedBefore"];
                /**
                 * @description Modified after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_after?: components["parameters"]["ModifiedAfter"];
                /**
                 * @description Modified before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_before?: components["parameters"]["ModifiedBefore"];
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
                    "application/json": components["schemas"]["Page"] & {
                        results: components["schemas"]["Invoice"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
        };
    };
    createInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
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
            409: components["responses"]["Duplicate"];
            default: components["responses"]["Refused"];
        };
    };
    listInvoiceBatches: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: components["parameters"]["Ordering"];
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
                    "application/json": components["schemas"]["Page"] & {
                        results: components["schemas"]["InvoiceBatch"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
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
            409: components["responses"]["Duplicate"];
            default: components["responses"]["Refused"];
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
            default: components["responses"]["Refused"];
        };
    };
    getInvoiceBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    listInvoiceCustomers: {
        parameters: {
            query: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: components["parameters"]["Ordering"];
                /**
                 * @description The tag, such as a class.
                 * @example P5
                 */
                tag: string;
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: components["parameters"]["Currency"];
                /**
                 * @description Id of the batch that made it.
                 * @example 12
                 */
                batch?: components["parameters"]["Batch"];
                /**
                 * @description Due after this day.
                 * @example 2030-01-31
                 */
                due_after?: components["parameters"]["DueAfter"];
                /**
                 * @description Due before this day.
                 * @example 2030-01-31
                 */
                due_before?: components["parameters"]["DueBefore"];
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
                    "application/json": components["schemas"]["Page"] & {
                        results: components["schemas"]["InvoiceCustomerSum"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
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
            200: components["responses"]["InvoicesDone"];
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
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
            200: components["responses"]["InvoicesDone"];
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
        };
    };
    sumInvoicesByTag: {
        parameters: {
            query?: {
                /**
                 * @description A tag of the customer, such as a class.
                 * @example P5
                 */
                tag?: components["parameters"]["Tag"];
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: components["parameters"]["Currency"];
                /**
                 * @description Id of the batch that made it.
                 * @example 12
                 */
                batch?: components["parameters"]["Batch"];
                /**
                 * @description Due after this day.
                 * @example 2030-01-31
                 */
                due_after?: components["parameters"]["DueAfter"];
                /**
                 * @description Due before this day.
                 * @example 2030-01-31
                 */
                due_before?: components["parameters"]["DueBefore"];
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
            default: components["responses"]["Refused"];
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
            200: components["responses"]["InvoicesDone"];
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
        };
    };
    getInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Invoice"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    deleteInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Invoice"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    changeInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            200: components["responses"]["Invoice"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    collectInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
            };
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            200: components["responses"]["Invoice"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Duplicate"];
            default: components["responses"]["Refused"];
        };
    };
    issueInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
            };
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Invoice"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Duplicate"];
            default: components["responses"]["Refused"];
        };
    };
    sendInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
            };
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            200: components["responses"]["Invoice"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Duplicate"];
            default: components["responses"]["Refused"];
        };
    };
    voidInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
            };
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            200: components["responses"]["Invoice"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Duplicate"];
            default: components["responses"]["Refused"];
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
            200: components["responses"]["MatchingSettings"];
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
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
            200: components["responses"]["MatchingSettings"];
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
        };
    };
    listNetworks: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: components["parameters"]["Ordering"];
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
                    "application/json": components["schemas"]["Page"] & {
                        results: components["schemas"]["Network"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
        };
    };
    getNetwork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    listPaymentLinks: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: components["parameters"]["Ordering"];
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: components["parameters"]["Currency"];
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
                created_after?: components["parameters"]["CreatedAfter"];
                /**
                 * @description Created before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_before?: components["parameters"]["CreatedBefore"];
                /**
                 * @description Modified after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_after?: components["parameters"]["ModifiedAfter"];
                /**
                 * @description Modified before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_before?: components["parameters"]["ModifiedBefore"];
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
                    "application/json": components["schemas"]["Page"] & {
                        results: components["schemas"]["PaymentLink"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
        };
    };
    createPaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
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
            201: components["responses"]["PaymentLink"];
            400: components["responses"]["Invalid"];
            409: components["responses"]["Duplicate"];
            default: components["responses"]["Refused"];
        };
    };
    getPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    changePaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: components["parameters"]["Ordering"];
                /**
                 * @description Exact amount; `100` finds `100.0000`.
                 * @example 1500
                 */
                amount?: components["parameters"]["Amount"];
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: components["parameters"]["Currency"];
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
                phone_number?: components["parameters"]["PhoneNumber"];
                /**
                 * @description The id that the network operator gave the transaction.
                 * @example TX9
                 */
                remote_transaction_id?: string;
                /**
                 * @description Created after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_after?: components["parameters"]["CreatedAfter"];
                /**
                 * @description Created before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_before?: components["parameters"]["CreatedBefore"];
                /**
                 * @description Modified after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_after?: components["parameters"]["ModifiedAfter"];
                /**
                 * @description Modified before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_before?: components["parameters"]["ModifiedBefore"];
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
                    "application/json": components["schemas"]["Page"] & {
                        results: components["schemas"]["Payment"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
        };
    };
    createPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
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
            201: components["responses"]["Payment"];
            400: components["responses"]["Invalid"];
            409: components["responses"]["Duplicate"];
            default: components["responses"]["Refused"];
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    listPlans: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: components["parameters"]["Ordering"];
                /**
                 * @description State.
                 * @example active
                 */
                state?: "active" | "paused" | "ended" | "stopped";
                /**
                 * @description International format; a missing `+` is added. A literal plus is sent as `%2B`.
                 * @example +80000000000
                 */
                phonenumber?: components["parameters"]["Phonenumber"];
                /**
                 * @description Id of the customer.
                 * @example 12
                 */
                contact?: components["parameters"]["Contact"];
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: components["parameters"]["Currency"];
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
                    "application/json": components["schemas"]["Page"] & {
                        results: components["schemas"]["Plan"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
        };
    };
    getPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Plan"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    pausePlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Plan"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    resumePlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Plan"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    stopPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Plan"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    listReceipts: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: components["parameters"]["Ordering"];
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
                amount?: components["parameters"]["Amount"];
                /**
                 * @description Currency code.
                 * @example BXC
                 */
                currency?: components["parameters"]["Currency"];
                /**
                 * @description International format; a missing `+` is added. A literal plus is sent as `%2B`.
                 * @example +80000000000
                 */
                phonenumber?: components["parameters"]["Phonenumber"];
                /**
                 * @description The network operator's own id of the payment.
                 * @example TX1
                 */
                remote_transaction_id?: components["parameters"]["RemoteTransactionId"];
                /**
                 * @description Created after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_after?: components["parameters"]["CreatedAfter"];
                /**
                 * @description Created before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                created_before?: components["parameters"]["CreatedBefore"];
                /**
                 * @description Modified after this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_after?: components["parameters"]["ModifiedAfter"];
                /**
                 * @description Modified before this time.
                 * @example 2030-01-31T12:00:00Z
                 */
                modified_before?: components["parameters"]["ModifiedBefore"];
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
                    "application/json": components["schemas"]["Page"] & {
                        results: components["schemas"]["Receipt"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
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
            default: components["responses"]["Refused"];
        };
    };
    getReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Receipt"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    sendReceipt: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
            };
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            200: components["responses"]["Receipt"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Duplicate"];
            default: components["responses"]["Refused"];
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
                format?: components["parameters"]["Format"];
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
            default: components["responses"]["Refused"];
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
                format?: components["parameters"]["Format"];
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
            default: components["responses"]["Refused"];
        };
    };
    listSms: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: components["parameters"]["Ordering"];
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
                phonenumber?: components["parameters"]["Phonenumber"];
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
                    "application/json": components["schemas"]["Page"] & {
                        results: components["schemas"]["Sms"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
        };
    };
    getSms: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: components["parameters"]["Ordering"];
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
                    "application/json": components["schemas"]["Page"] & {
                        results: components["schemas"]["Transaction"][];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /**
                 * @description Page size; default 10, at most 1000.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /** @description Field to sort by, with `-` in front for descending order; default: newest first. */
                ordering?: components["parameters"]["Ordering"];
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
                    "application/json": components["schemas"]["Page"] & {
                        results: components["schemas"]["Webhook"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Refused"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text. A second request with the same text is refused for 24 hours. */
                "duplicate-check-key"?: components["parameters"]["DuplicateCheckKey"];
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
            409: components["responses"]["Duplicate"];
            default: components["responses"]["Refused"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
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
            404: components["responses"]["NotFound"];
            default: components["responses"]["Refused"];
        };
    };
    notifyOfCollectionrequestStatusChanged: {
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
            200: components["responses"]["Received"];
            410: components["responses"]["NoMore"];
        };
    };
    notifyOfCollectionReceived: {
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
            200: components["responses"]["Received"];
            410: components["responses"]["NoMore"];
        };
    };
    notifyOfPaymentStatusChanged: {
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
                    data: components["schemas"]["PaymentEvent"];
                };
            };
        };
        responses: {
            200: components["responses"]["Received"];
            410: components["responses"]["NoMore"];
        };
    };
    notifyOfContactCreated: {
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
            200: components["responses"]["Received"];
            410: components["responses"]["NoMore"];
        };
    };
    notifyOfBillpaymentStatusChanged: {
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
                    data: components["schemas"]["PurchaseEvent"];
                };
            };
        };
        responses: {
            200: components["responses"]["Received"];
            410: components["responses"]["NoMore"];
        };
    };
    notifyOfCollectionReversed: {
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
            200: components["responses"]["Received"];
            410: components["responses"]["NoMore"];
        };
    };
    notifyOfContactCreditChanged: {
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
                    data: components["schemas"]["CreditChange"];
                };
            };
        };
        responses: {
            200: components["responses"]["Received"];
            410: components["responses"]["NoMore"];
        };
    };
    notifyOfInvoiceIssued: {
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
                    data: components["schemas"]["Invoice"];
                };
            };
        };
        responses: {
            200: components["responses"]["Received"];
            410: components["responses"]["NoMore"];
        };
    };
    notifyOfInvoicePaid: {
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
                    data: components["schemas"]["Invoice"];
                };
            };
        };
        responses: {
            200: components["responses"]["Received"];
            410: components["responses"]["NoMore"];
        };
    };
    notifyOfInvoicePartlyPaid: {
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
                    data: components["schemas"]["Invoice"];
                };
            };
        };
        responses: {
            200: components["responses"]["Received"];
            410: components["responses"]["NoMore"];
        };
    };
    notifyOfInvoiceReopened: {
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
                    data: components["schemas"]["Invoice"];
                };
            };
        };
        responses: {
            200: components["responses"]["Received"];
            410: components["responses"]["NoMore"];
        };
    };
    notifyOfInvoiceVoided: {
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
                    data: components["schemas"]["Invoice"];
                };
            };
        };
        responses: {
            200: components["responses"]["Received"];
            410: components["responses"]["NoMore"];
        };
    };
}
