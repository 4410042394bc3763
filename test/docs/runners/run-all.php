<?php
// Runs the samples that a file lists, one after the other in this process, and tells of each in a line of JSON.

set_error_handler(function (int $severity, string $message, string $file, int $line): bool {
    throw new ErrorException($message, 0, $severity, $file, $line);
});

/** In a scope of its own. */
function run(string $file): void
{
    include $file;
}

foreach (json_decode(file_get_contents($argv[1]), true, 512, JSON_THROW_ON_ERROR) as $task) {
    foreach ($task['env'] as $name => $value) putenv("$name=$value");
    $error = null;
    ob_start();
    try {
        run("./{$task['file']}");
    } catch (Throwable $thrown) {
        $error = (string) $thrown;
    }
    echo json_encode(['stdout' => ob_get_clean(), 'error' => $error]), "\n";
    foreach (array_keys($task['env']) as $name) putenv($name);
}
