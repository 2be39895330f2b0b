<?php

declare(strict_types=1);

use Kusanya\Http\HttpClient;
use Kusanya\Http\Request;
use Kusanya\Http\Response;

/** Answers in the place of curl, and remembers what was asked. */
final class Answers implements HttpClient
{
    /** @var list<Request> */
    public array $requests = [];

    /** @param list<Response|Throwable> $answers */
    public function __construct(private array $answers)
    {
    }

    public function send(Request $request): Response
    {
        $this->requests[] = $request;
        $answer = array_shift($this->answers) ?? throw new LogicException('Nothing more should be sent.');

        return $answer instanceof Throwable ? throw $answer : $answer;
    }

    public function open(Request $request): Response
    {
        return $this->send($request);
    }
}
