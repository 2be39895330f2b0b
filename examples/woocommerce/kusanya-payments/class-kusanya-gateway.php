<?php

declare(strict_types=1);

defined('ABSPATH') || exit;

/** A way to pay at the checkout: the customer goes to the page of a payment link, and comes back. */
class Kusanya_Gateway extends WC_Payment_Gateway
{
    private const TIMEOUT_SECONDS = 20;

    public function __construct()
    {
        $this->id = 'kusanya';
        $this->has_fields = false;
        $this->method_title = 'Kusanya';
        $this->method_description = 'Mobile money over your own Kusanya. Webhook: ' . WC()->api_request_url('kusanya_webhook');
        $this->init_form_fields();
        $this->init_settings();
        $this->title = $this->get_option('title');
        $this->description = 'You approve the payment on your phone.';
        add_action("woocommerce_update_options_payment_gateways_{$this->id}", [$this, 'process_admin_options']);
    }

    public function init_form_fields(): void
    {
        $this->form_fields = [
            'enabled' => ['title' => 'Use it', 'type' => 'checkbox', 'label' => 'Customers can pay with mobile money', 'default' => 'no'],
            'title' => ['title' => 'Name at the checkout', 'type' => 'text', 'default' => 'Mobile money'],
            'url' => ['title' => 'Address of Kusanya', 'type' => 'text', 'default' => 'https://pay.example.com'],
            'api_key' => ['title' => 'API key', 'type' => 'password', 'description' => 'With the permissions View and Initiate Collections.'],
            'links_secret' => ['title' => 'Secret of the payment links', 'type' => 'password', 'description' => 'In the console: Payment links, Look and secret.'],
            'webhook_secret' => ['title' => 'Secret of the webhook', 'type' => 'password', 'description' => 'npx kusanya webhooks secret <id>'],
        ];
    }

    /**
     * Sends the customer to the page of the order's payment link.
     *
     * @param int $order_id
     *
     * @return array<string, string>
     */
    public function process_payment($order_id): array
    {
        $order = wc_get_order($order_id);
        try {
            $link = $this->open_link($order) ?? $this->create_link($order);
        } catch (RuntimeException $error) {
            wc_get_logger()->error($error->getMessage(), ['source' => 'kusanya']);
            wc_add_notice('Mobile money cannot be used at the moment. Nothing was paid. Please try again.', 'error');
            return ['result' => 'failure'];
        }
        // A link that is paid waits for its notification: another one could be paid, too.
        return ['result' => 'success', 'redirect' => $link['state'] === 'paid' ? $this->get_return_url($order) : $link['url']];
    }

    /** Shows a customer who comes back what became of the payment. The order is marked as paid by the notification alone. */
    public function receive_customer(): void
    {
        $query = wp_unslash($_GET);
        $order = wc_get_order((int) ($query['order'] ?? 0));
        $is_genuine = Kusanya_Signatures::is_genuine_return($query, $this->get_option('links_secret'));
        if (!$is_genuine || !$order || !in_array($query['payment_link'], self::links_of($order), true)) {
            wp_die('This address does not belong to a payment of this shop.', '', ['response' => 400]);
        }
        if ($query['status'] === 'unpaid') {
            wc_add_notice('Nothing was paid. You can try again.', 'error');
            wp_safe_redirect($order->get_checkout_payment_url());
        } else {
            wp_safe_redirect($this->get_return_url($order));
        }
        exit;
    }

    /** Takes a notification of Kusanya. It may come twice; the second one changes nothing. */
    public function receive_notification(): void
    {
        $body = (string) file_get_contents('php://input');
        $header = static fn (string $name): string => (string) wp_unslash($_SERVER["HTTP_WEBHOOK_{$name}"] ?? '');
        $secret = $this->get_option('webhook_secret');
        if (!Kusanya_Signatures::is_genuine_notification($body, $header('ID'), $header('TIMESTAMP'), $header('SIGNATURE'), $secret)) {
            status_header(401);
            exit;
        }
        $notification = json_decode($body, true, 64, JSON_THROW_ON_ERROR);
        if ($notification['hook']['event'] === 'collectionrequest.status.changed') {
            $this->act($notification['data']);
        }
        status_header(200);
        exit;
    }

    /** @param array<string, mixed> $request the collection request, as it is now */
    private function act(array $request): void
    {
        $link = $request['metadata']['payment_link'] ?? null;
        $orders = $link === null ? [] : wc_get_orders(['limit' => 1, 'meta_key' => '_kusanya_link', 'meta_value' => (string) $link]);
        $order = $orders[0] ?? null;
        if ($order === null) {
            return; // The money of another program.
        }
        if ($request['status'] === 'reversed') {
            $order->update_status('on-hold', "The network has taken the money of request {$request['id']} back.");
        } elseif ($request['status'] === 'successful' && $order->is_paid()) {
            if ($order->get_transaction_id() !== (string) $request['id']) {
                $order->add_order_note("Paid once more, by request {$request['id']}: give this money back.");
            }
        } elseif ($request['status'] === 'successful') {
            $is_whole = $request['currency'] === $order->get_currency() && self::is_same_amount($request['amount'], (string) $order->get_total());
            if ($is_whole) {
                $order->payment_complete((string) $request['id']);
            } else {
                $order->update_status('on-hold', "Paid {$request['currency']} {$request['amount']}, which is not what the order costs.");
            }
        }
    }

    /**
     * The link of an earlier try, if it has the amount of the order and is open or paid: two open links could be paid both.
     *
     * @throws RuntimeException
     */
    private function open_link(WC_Order $order): ?array
    {
        $links = self::links_of($order);
        if ($links === []) {
            return null;
        }
        $link = $this->call('GET', '/api/paymentlinks/' . end($links));
        $fits = $link['currency'] === $order->get_currency() && self::is_same_amount($link['amount'], (string) $order->get_total());
        if ($fits && in_array($link['state'], ['active', 'paid'], true)) {
            return $link;
        }
        if ($link['state'] === 'active') {
            $this->call('PATCH', "/api/paymentlinks/{$link['id']}", ['state' => 'closed']);
        }
        return null;
    }

    /** @return list<string> the ids of all links that the order has had, the newest last */
    private static function links_of(WC_Order $order): array
    {
        return array_values(array_map(static fn ($meta): string => (string) $meta->value, $order->get_meta('_kusanya_link', false)));
    }

    /** @throws RuntimeException */
    private function create_link(WC_Order $order): array
    {
        $link = $this->call('POST', '/api/paymentlinks', [
            'title' => "Order {$order->get_order_number()}",
            'amount' => (string) $order->get_total(),
            'currency' => $order->get_currency(),
            'single_use' => true,
            'return_url' => add_query_arg('order', $order->get_id(), WC()->api_request_url('kusanya_return')),
        ]);
        $order->add_meta_data('_kusanya_link', (string) $link['id']);
        $order->save();
        return $link;
    }

    /** @throws RuntimeException if Kusanya does not answer, or refuses */
    private function call(string $method, string $path, ?array $body = null): array
    {
        $answer = wp_remote_request(rtrim($this->get_option('url'), '/') . $path, [
            'method' => $method,
            'timeout' => self::TIMEOUT_SECONDS,
            'redirection' => 0,
            'headers' => ['Authorization' => "Token {$this->get_option('api_key')}", 'Content-Type' => 'application/json'],
            'body' => $body === null ? null : wp_json_encode($body),
        ]);
        if (is_wp_error($answer)) {
            throw new RuntimeException("{$method} {$path}: {$answer->get_error_message()}");
        }
        $status = wp_remote_retrieve_response_code($answer);
        $text = wp_remote_retrieve_body($answer);
        $value = json_decode($text, true);
        if ($status < 200 || $status > 299 || !is_array($value)) {
            throw new RuntimeException("{$method} {$path}: {$status} {$text}");
        }
        return $value;
    }

    /** Compares decimals as texts, because floats are not exact. */
    private static function is_same_amount(string $one, string $other): bool
    {
        $plain = static fn (string $amount): string => str_contains($amount, '.') ? rtrim(rtrim($amount, '0'), '.') : $amount;
        return $plain($one) === $plain($other);
    }
}
