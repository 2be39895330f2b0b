<?php

// The client without a service: `php tests/run.php` in the folder of the package. A file *Test.php gives its tests by their titles.

declare(strict_types=1);

error_reporting(\E_ALL);
set_error_handler(static fn (int $level, string $message, string $file, int $line) => throw new ErrorException($message, 0, $level, $file, $line));
spl_autoload_register(static function (string $class): void {
    $path = \dirname(__DIR__) . '/src/' . str_replace(['Kusanya\\', '\\'], ['', '/'], $class) . '.php';
    is_file($path) && require $path;
});

/** Fails unless both are the same. */
function same(mixed $expected, mixed $actual): void
{
    if ($expected !== $actual) {
        throw new LogicException('Expected ' . var_export($expected, true) . ' but got ' . var_export($actual, true) . '.');
    }
}

/**
 * Fails unless a call throws.
 *
 * @template T of Throwable
 *
 * @param class-string<T> $class
 *
 * @return T
 */
function thrown(string $class, Closure $call): Throwable
{
    try {
        $call();
    } catch (Throwable $error) {
        return $error instanceof $class ? $error : throw $error;
    }
    throw new LogicException("Expected {$class}, but nothing was thrown.");
}

$failed = 0;
$passed = 0;
foreach (glob(__DIR__ . '/*Test.php') ?: [] as $file) {
    foreach (require $file as $title => $test) {
        try {
            $test();
            ++$passed;
        } catch (Throwable $error) {
            ++$failed;
            fwrite(\STDERR, basename($file) . ": {$title}: {$error->getMessage()}\n{$error->getTraceAsString()}\n");
        }
    }
}
echo "{$passed} passed, {$failed} failed\n";
exit($failed === 0 && $passed > 0 ? 0 : 1);
