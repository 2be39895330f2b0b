<?php

declare(strict_types=1);

namespace Kusanya\Http;

/** Sends requests. Write your own to use another library. It must not follow redirects, and must not repeat a request. */
interface HttpClient
{
    /**
     * Sends a request, and reads the answer to its end.
     *
     * @throws ConnectionException
     */
    public function send(Request $request): Response;

    /**
     * Sends a request, and gives the answer as soon as its headers are there. Its body is an iterable of pieces, as they come.
     *
     * @throws ConnectionException here, and while the pieces are read
     */
    public function open(Request $request): Response;
}
