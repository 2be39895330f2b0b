<?php

/*
 * The few functions of WordPress and WooCommerce that the plugin of examples/woocommerce uses, and a shop with orders in a file. It is
 * run by `php -S`: every request begins with nothing, as in WordPress.
 */

declare(strict_types=1);

const ABSPATH = __DIR__;

/** Ends the request, as WordPress does with a page. */
function wp_die(string $message, string $title = '', array $args = []): never
{
    http_response_code($args['response'] ?? 500);
    exit($message);
}

$actions = [];
$filters = [];
function add_action(string $name, callable $action): void
{
    $GLOBALS['actions'][$name][] = $action;
}
function do_action(string $name): void
{
    foreach ($GLOBALS['actions'][$name] ?? [] as $action) {
        $action();
    }
}
function add_filter(string $name, callable $filter): void
{
    $GLOBALS['filters'][$name][] = $filter;
}
function apply_filters(string $name, mixed $value): mixed
{
    return array_reduce($GLOBALS['filters'][$name] ?? [], static fn ($so_far, $filter) => $filter($so_far), $value);
}

function status_header(int $status): void
{
    http_response_code($status);
}
function wp_unslash(mixed $value): mixed
{
    return is_array($value) ? array_map('wp_unslash', $value) : (is_string($value) ? stripslashes($value) : $value);
}
function wp_json_encode(mixed $value): string
{
    return json_encode($value, JSON_THROW_ON_ERROR);
}
function add_query_arg(string $name, mixed $value, string $url): string
{
    return $url . (str_contains($url, '?') ? '&' : '?') . urlencode($name) . '=' . urlencode((string) $value);
}
function wp_safe_redirect(string $url): void
{
    header("Location: {$url}", true, 302);
}
function wc_add_notice(string $text, string $kind): void
{
    header('X-Notice: ' . $text);
}

final class WP_Error
{
    public function get_error_message(): string
    {
        return 'No answer.';
    }
}
function is_wp_error(mixed $value): bool
{
    return $value instanceof WP_Error;
}
function wp_remote_request(string $url, array $args): array|WP_Error
{
    $headers = array_map(static fn ($name, $value) => "{$name}: {$value}", array_keys($args['headers']), $args['headers']);
    $http = ['method' => $args['method'], 'header' => $headers, 'content' => $args['body'] ?? '', 'timeout' => $args['timeout'], 'ignore_errors' => true];
    $body = @file_get_contents($url, false, stream_context_create(['http' => $http]));
    return $body === false ? new WP_Error() : ['status' => (int) explode(' ', $http_response_header[0])[1], 'body' => $body];
}
function wp_remote_retrieve_response_code(array $answer): int
{
    return $answer['status'];
}
function wp_remote_retrieve_body(array $answer): string
{
    return $answer['body'];
}
function wc_get_logger(): object
{
    return new class () {
        public function error(string $text, array $context): void
        {
            error_log($text);
        }
    };
}
function WC(): object
{
    return new class () {
        public function api_request_url(string $name): string
        {
            return "https://shop.example/wc-api/{$name}";
        }
    };
}

class WC_Payment_Gateway
{
    public string $id = '';
    public bool $has_fields = false;
    public string $method_title = '';
    public string $method_description = '';
    public string $title = '';
    public string $description = '';
    public array $form_fields = [];

    public function init_settings(): void
    {
    }
    public function process_admin_options(): void
    {
    }
    /** The settings of the shop come from the environment. */
    public function get_option(string $name): string
    {
        return getenv('SHOP_' . strtoupper($name)) ?: $this->form_fields[$name]['default'] ?? '';
    }
    public function get_return_url(WC_Order $order): string
    {
        return "https://shop.example/order-received/{$order->get_id()}";
    }
}

class WC_Order
{
    private const FILE = 'orders.json';

    private function __construct(private int $id, private array $data)
    {
    }

    /** @return array<int, array<string, mixed>> */
    private static function stored(): array
    {
        return is_file(self::FILE) ? json_decode(file_get_contents(self::FILE), true) : [];
    }
    public static function find(int $id): self|false
    {
        $data = self::stored()[$id] ?? null;
        return $data === null ? false : new self($id, $data);
    }
    /** @return list<self> */
    public static function with_meta(string $key, string $value): array
    {
        $found = array_filter(self::stored(), static fn (array $data): bool => in_array($value, $data['meta'][$key] ?? [], true));
        return array_map(static fn (int $id) => self::find($id), array_keys($found));
    }
    public static function put(int $id, string $total, string $currency): void
    {
        $order = self::find($id) ?: new self($id, ['status' => 'pending', 'notes' => [], 'meta' => [], 'payments' => 0]);
        $order->data = ['total' => $total, 'currency' => $currency] + $order->data;
        $order->save();
    }
    public function save(): void
    {
        file_put_contents(self::FILE, json_encode([$this->id => $this->data] + self::stored()));
    }
    public function to_json(): string
    {
        return json_encode($this->data);
    }

    public function get_id(): int
    {
        return $this->id;
    }
    public function get_order_number(): string
    {
        return (string) $this->id;
    }
    public function get_total(): string
    {
        return $this->data['total'];
    }
    public function get_currency(): string
    {
        return $this->data['currency'];
    }
    public function get_checkout_payment_url(): string
    {
        return "https://shop.example/pay/{$this->id}";
    }
    public function get_meta(string $key, bool $single = true): mixed
    {
        $values = $this->data['meta'][$key] ?? [];
        return $single ? $values[0] ?? '' : array_map(static fn (string $value) => (object) ['value' => $value], $values);
    }
    public function add_meta_data(string $key, string $value): void
    {
        $this->data['meta'][$key][] = $value;
    }
    public function is_paid(): bool
    {
        return $this->data['status'] === 'processing';
    }
    public function payment_complete(string $transaction): void
    {
        $this->data = ['status' => 'processing', 'transaction' => $transaction, 'payments' => $this->data['payments'] + 1] + $this->data;
        $this->save();
    }
    public function get_transaction_id(): string
    {
        return $this->data['transaction'] ?? '';
    }
    public function add_order_note(string $note): void
    {
        $this->data['notes'][] = $note;
        $this->save();
    }
    public function update_status(string $status, string $note): void
    {
        $this->data['status'] = $status;
        $this->data['notes'][] = $note;
        $this->save();
    }
}
function wc_get_order(int $id): WC_Order|false
{
    return WC_Order::find($id);
}
function wc_get_orders(array $query): array
{
    return array_slice(WC_Order::with_meta($query['meta_key'], $query['meta_value']), 0, $query['limit']);
}

require getenv('SHOP_PLUGIN');
do_action('plugins_loaded');

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (preg_match('~^/wc-api/(\w+)$~', $path, $found)) {
    do_action("woocommerce_api_{$found[1]}");
} elseif (preg_match('~^/orders/(\d+)$~', $path, $found)) {
    echo WC_Order::find((int) $found[1])->to_json();
} elseif (preg_match('~^/orders/(\d+)/put/([\d.]+)/(\w+)$~', $path, $found)) {
    WC_Order::put((int) $found[1], $found[2], $found[3]);
} elseif (preg_match('~^/orders/(\d+)/checkout$~', $path, $found)) {
    [$gateway] = apply_filters('woocommerce_payment_gateways', []);
    echo json_encode((new $gateway())->process_payment((int) $found[1]));
} else {
    echo 'The shop is open.';
}
