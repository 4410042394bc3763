# Runs the samples that a file lists, one after the other in this process, and tells of each in a line of JSON.
import contextlib, io, json, os, runpy, sys, traceback

sys.path.insert(0, os.getcwd())
sys.dont_write_bytecode = True
shared = dict(os.environ)
with open(sys.argv[1]) as listed:
    tasks = json.load(listed)

for task in tasks:
    os.environ.clear()
    os.environ.update({**shared, **task["env"]})
    printed = io.StringIO()
    error = None
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_path(task["file"], run_name="__main__")
    except BaseException:  # that it ends the process is a fault, too
        error = traceback.format_exc()
    print(json.dumps({"stdout": printed.getvalue(), "error": error}), flush=True)
