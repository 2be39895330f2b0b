<?php
/**
 * Plugin Name: Kusanya Payments
 * Description: Mobile-money payments over your own Kusanya: customers pay on the page of a payment link.
 * Version: 0.2.0
 * Requires PHP: 8.1
 * Requires Plugins: woocommerce
 * License: Apache-2.0
 */

declare(strict_types=1);

defined('ABSPATH') || exit;

require_once __DIR__ . '/class-kusanya-signatures.php';

add_action('plugins_loaded', static function (): void {
    if (!class_exists('WC_Payment_Gateway')) {
        return;
    }
    require_once __DIR__ . '/class-kusanya-gateway.php';
    add_filter('woocommerce_payment_gateways', static fn (array $gateways): array => [...$gateways, Kusanya_Gateway::class]);
    // WooCommerce makes a gateway only where it needs one; these addresses need one always.
    add_action('woocommerce_api_kusanya_return', static fn () => (new Kusanya_Gateway())->receive_customer());
    add_action('woocommerce_api_kusanya_webhook', static fn () => (new Kusanya_Gateway())->receive_notification());
});

// The money of the sandbox, to try the shop.
add_filter('woocommerce_currencies', static fn (array $currencies): array => [...$currencies, 'BXC' => 'Test money of the sandbox']);
